import { deleteMatching } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { changedMeanwhile, ifMatchHeader, webhookKey, webhookParameter } from './webhook.ts';

export const deleteWebhook = operation({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  tag: 'Events',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Delete a webhook',
  description: 'Nothing more is delivered, and the log of its deliveries goes with it.',
  parameters: webhookParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The webhook is deleted.' } },
  notFound: ['webhook'],
  problems: changedMeanwhile,
  async handler({ provider, parameters: { webhookId }, header }, { db }: Dependencies) {
    const key = webhookKey(provider, webhookId);
    await db.transaction((tx) =>
      deleteMatching(
        tx,
        'webhook',
        'webhooks where provider = $1 and id = $2',
        key,
        header('if-match'),
      ),
    );
    return { status: 204 };
  },
});
