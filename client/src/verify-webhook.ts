import { WebhookVerificationError } from './errors.ts';

export type SignedWebhook = {
  /** The secret of the subscription, `whsec_…`; several while it is rotated. */
  secret: string | readonly string[];
  /** The headers of the request. */
  headers: Headers | Record<string, string | string[] | undefined>;
  /** The body as it was received: parsing and printing it again changes it. */
  body: string | Uint8Array<ArrayBuffer>;
  /** How old or how far ahead the signature may be. */
  toleranceSeconds?: number;
};

/**
 * The event of a webhook, if it is signed with the secret as Standard Webhooks describes; throws
 * `WebhookVerificationError` otherwise. The header `webhook-id` is the same on every delivery of an event.
 */
export async function verifyWebhook<Event = unknown>(webhook: SignedWebhook): Promise<Event> {
  const { secret, toleranceSeconds = 300 } = webhook;
  const id = headerOf(webhook.headers, 'webhook-id');
  const timestamp = headerOf(webhook.headers, 'webhook-timestamp');
  const seconds = Number(timestamp);
  if (!Number.isInteger(seconds))
    throw new WebhookVerificationError('webhook-timestamp is no number of seconds');
  if (Math.abs(Date.now() / 1000 - seconds) > toleranceSeconds)
    throw new WebhookVerificationError('webhook-timestamp is too old or in the future');
  const signatures = headerOf(webhook.headers, 'webhook-signature')
    .split(' ')
    .flatMap((signature) => (signature.startsWith('v1,') ? [signature.slice(3)] : []));
  const body =
    typeof webhook.body === 'string' ? new TextEncoder().encode(webhook.body) : webhook.body;
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    const key = await importKey(one);
    for (const signature of signatures) {
      const bytes = decodeBase64(signature);
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed)))
        return JSON.parse(new TextDecoder().decode(body));
    }
  }
  throw new WebhookVerificationError('webhook-signature does not match');
}

function headerOf(headers: SignedWebhook['headers'], name: string): string {
  const found = headers instanceof Headers ? headers.get(name) : findHeader(headers, name);
  const value = Array.isArray(found) ? found[0] : found;
  if (!value) throw new WebhookVerificationError(`The header ${name} is missing`);
  return value;
}

const findHeader = (headers: Record<string, string | string[] | undefined>, name: string) =>
  Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];

async function importKey(secret: string) {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes) throw new TypeError('The secret of a webhook is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
