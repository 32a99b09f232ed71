import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import {
  newWebhookSecret,
  signatureHeaders,
} from '../../server/src/platform/webhooks/signature.ts';
import { verifyWebhook, WebhookVerificationError } from './index.ts';

const secret = newWebhookSecret();
const id = '0f8a6c1e-93b7-4d52-8f4e-5a6b7c8d9e0f';
const body = JSON.stringify({
  type: 'vehicle.updated.v1',
  data: { resource: { name: 'Größe 🚗' } },
});

test('the service signs as Standard Webhooks verifies', () => {
  const headers = signatureHeaders(id, body, [newWebhookSecret(), secret]);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});

test('the client verifies what Standard Webhooks signs, as text and as bytes', async () => {
  const now = new Date();
  const signature = new Webhook(secret).sign(id, now, body);
  const headers = {
    'Webhook-Id': id,
    'Webhook-Timestamp': String(Math.floor(now.getTime() / 1000)),
    'Webhook-Signature': `v1a,other ${signature}`,
  };
  for (const given of [headers, new Headers(headers)])
    expect(await verifyWebhook({ secret, headers: given, body })).toEqual(JSON.parse(body));
  const bytes = new TextEncoder().encode(body);
  expect(
    await verifyWebhook({ secret: [newWebhookSecret(), secret], headers, body: bytes }),
  ).toEqual(JSON.parse(body));
});

const signed = (at = new Date()) => signatureHeaders(id, body, [secret], at);
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test.each([
  ['another body', { headers: signed(), body: `${body} ` }],
  ['another id', { headers: { ...signed(), 'webhook-id': 'other' }, body }],
  ['another secret', { headers: signed(), body, secret: newWebhookSecret() }],
  ['an old signature', { headers: signed(minutesAgo(6)), body }],
  ['a signature from the future', { headers: signed(minutesAgo(-6)), body }],
  ['no time', { headers: { ...signed(), 'webhook-timestamp': 'now' }, body }],
  ['no signature', { headers: { ...signed(), 'webhook-signature': '' }, body }],
  ['broken base64', { headers: { ...signed(), 'webhook-signature': 'v1,%%%' }, body }],
])('%s is refused', async (_name, webhook) => {
  await expect(verifyWebhook({ secret, ...webhook })).rejects.toBeInstanceOf(
    WebhookVerificationError,
  );
});
