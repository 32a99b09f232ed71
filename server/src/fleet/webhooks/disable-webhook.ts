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
import { disabledReason, disableWebhookRow } from './webhook-store.ts';

export const disableWebhook = operation({
  id: 'disableWebhook',
  method: 'POST',
  path: '/webhooks/{webhookId}/disable',
  tag: 'Events',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Pause a webhook',
  description:
    'Nothing is sent until it is enabled; deliveries then go on with the event after the last one, as far as events are still kept. ' +
    'One that is paused or has ended stays so.',
  parameters: webhookParameter,
  responses: {
    200: {
      description: 'The webhook, which is not active.',
      schema: WebhookSchema,
      example: { ...exampleWebhook, status: 'paused', statusReason: disabledReason },
      headers: etagHeader,
    },
  },
  notFound: ['webhook'],
  async handler({ provider, parameters: { webhookId } }, { db, clock }: Dependencies) {
    const key = webhookKey(provider, webhookId);
    const row = await db.transaction((tx) => disableWebhookRow(tx, key, clock.now()));
    return { status: 200, headers: { etag: etagOf(row.version) }, body: webhookOf(row) };
  },
});
