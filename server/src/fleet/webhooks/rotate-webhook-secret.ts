import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  etagHeader,
  exampleWebhook,
  exampleWebhookSecret,
  WebhookWithSecretSchema,
  webhookKey,
  webhookOf,
  webhookParameter,
} from './webhook.ts';
import { rotateWebhook } from './webhook-store.ts';

export const rotateWebhookSecret = operation({
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/webhooks/{webhookId}/rotate',
  tag: 'Events',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Replace the secret of a webhook',
  description:
    'The new secret is in this answer alone. For a day deliveries are signed with both secrets, so that receivers can be changed one after the other.',
  parameters: webhookParameter,
  responses: {
    200: {
      description: 'The webhook, with its new secret.',
      schema: WebhookWithSecretSchema,
      example: {
        ...exampleWebhook,
        previousSecretExpiresAt: '2026-11-16T08:30:00.000Z',
        secret: exampleWebhookSecret,
      },
      headers: etagHeader,
    },
  },
  notFound: ['webhook'],
  async handler({ provider, parameters: { webhookId } }, { db, clock }: Dependencies) {
    const key = webhookKey(provider, webhookId);
    const { row, secret } = await db.transaction((tx) => rotateWebhook(tx, key, clock.now()));
    return {
      status: 200,
      headers: { etag: etagOf(row.version) },
      body: { ...webhookOf(row), secret },
    };
  },
});
