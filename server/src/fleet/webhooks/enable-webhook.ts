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
import { enableWebhookRow } from './webhook-store.ts';

export const enableWebhook = operation({
  id: 'enableWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/enable',
  tag: 'Events',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Deliver again to a webhook that is paused or has ended',
  description:
    'Deliveries go on with the event after the last one, as far as events are still kept. One that is active stays so.',
  parameters: webhookParameter,
  responses: {
    200: {
      description: 'The webhook, active.',
      schema: WebhookSchema,
      example: exampleWebhook,
      headers: etagHeader,
    },
  },
  notFound: ['webhook'],
  async handler({ provider, parameters: { webhookId } }, { db, clock }: Dependencies) {
    const key = webhookKey(provider, webhookId);
    const row = await db.transaction((tx) => enableWebhookRow(tx, key, clock.now()));
    return { status: 200, headers: { etag: etagOf(row.version) }, body: webhookOf(row) };
  },
});
