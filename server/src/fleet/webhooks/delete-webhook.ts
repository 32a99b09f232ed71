import type { Database } from '../../platform/db/database.ts';
import { deleteMatching, requireMatchingRow } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { changedMeanwhile, ifMatchHeader, webhookKey, webhookParameter } from './webhook.ts';
import { disableWebhookRow } from './webhook-store.ts';

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
  workload: 'batch',
  async handler({ provider, parameters: { webhookId }, header }, { db, clock }: Dependencies) {
    const key = webhookKey(provider, webhookId);
    await db.transaction(async (tx) => {
      await requireMatchingRow(tx, 'webhook', webhookRow, key, header('if-match'));
      await disableWebhookRow(tx, key, clock.now());
    });
    // From here on it is not refused: that would leave a webhook without its log.
    await deleteSettled(db, key);
    await db.transaction((tx) => deleteMatching(tx, 'webhook', webhookRow, key, undefined));
    return { status: 204 };
  },
});

const webhookRow = 'webhooks where provider = $1 and id = $2';

const sliceSize = 10_000;

/** In slices, as there may be millions: in one transaction with the webhook, they would keep it locked. */
async function deleteSettled(db: Database, key: readonly string[]): Promise<void> {
  for (;;) {
    const [slice] = await db.query<{ last: number | null }>(selectSlice, [...key, sliceSize]);
    if (slice?.last == null) return;
    await db.query(deleteSlice, [...key, slice.last]);
  }
}

const settled =
  'webhook_deliveries where provider = $1 and webhook_id = $2 and next_try_at is null';
const selectSlice = `
  select max(number) as last from (select number from ${settled} order by number limit $3) slice`;
const deleteSlice = `delete from ${settled} and number <= $3`;
