import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  etagHeader,
  exampleWebhook,
  WebhookSchema,
  webhookKey,
  webhookOf,
  webhookParameter,
} from './webhook.ts';
import { getWebhookRow } from './webhook-store.ts';

export const getWebhook = operation({
  id: 'getWebhook',
  method: 'GET',
  path: '/webhooks/{webhookId}',
  tag: 'Events',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Read a webhook',
  description: 'Returns one webhook without its secret, and whether its deliveries succeed.',
  parameters: webhookParameter,
  responses: {
    200: {
      description: 'The webhook.',
      schema: WebhookSchema,
      example: exampleWebhook,
      headers: etagHeader,
    },
  },
  notFound: ['webhook'],
  async handler({ provider, parameters: { webhookId } }, { db }: Dependencies) {
    const row = await getWebhookRow(db, webhookKey(provider, webhookId));
    return { status: 200, headers: { etag: etagOf(row.version) }, body: webhookOf(row) };
  },
});
