import { operation } from '../../platform/http/operation.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  type DeliveryRow,
  DeliverySchema,
  deliveryColumns,
  deliveryOf,
  deliveryParameters,
  exampleDelivery,
} from './delivery.ts';
import { maxPending } from './delivery-store.ts';
import { webhookKey } from './webhook.ts';
import { getWebhookRow } from './webhook-store.ts';

export const resendWebhookDelivery = operation({
  id: 'resendWebhookDelivery',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/{sequence}/send',
  tag: 'Events',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Send an event to a webhook again',
  description:
    'Sends an event that is still kept within moments, with the same `webhook-id`, and tries it for three days as a new one: whatever became of its delivery, ' +
    'and also if there was none, since the webhook was made later or is for other types.',
  parameters: deliveryParameters,
  responses: {
    202: {
      description: 'The delivery, pending.',
      schema: DeliverySchema,
      example: { ...exampleDelivery, tries: 0 },
    },
  },
  notFound: ['webhook', 'event'],
  problems: { 409: 'The webhook is paused or has ended, or too many deliveries wait already.' },
  async handler({ provider, parameters: { webhookId, sequence } }, { db }: Dependencies) {
    const key = webhookKey(provider, webhookId);
    const row = await db.transaction(async (tx) => {
      const { status } = await getWebhookRow(tx, key);
      if (!/^\d{1,18}$/.test(sequence)) throw notFound('event');
      const [pending] = await tx.query<{ count: number }>(countPending, key);
      if ((pending?.count ?? 0) >= maxPending)
        throw new Problem(409, 'too-many-deliveries', 'Too many deliveries wait', {
          detail: `${maxPending} deliveries of the webhook are pending: send more once they are delivered or have failed.`,
        });
      const [row] = await tx.query<DeliveryRow>(resend, [...key, sequence]);
      if (!row) throw notFound('event');
      if (status !== 'active')
        throw new Problem(409, 'webhook-not-active', 'The webhook is not active', {
          detail: `The webhook is ${status}: enable it first.`,
        });
      return row;
    });
    return { status: 202, body: deliveryOf(row) };
  },
});

const countPending = `
  select count(*)::int as count from webhook_deliveries
  where provider = $1 and webhook_id = $2 and next_try_at is not null`;

const resend = `
  insert into webhook_deliveries as d (provider, webhook_id, number, event_id, type, vehicle_id)
  select e.provider, $2, e.number, e.event_id, e.type, e.vehicle_id from event_log e where e.provider = $1 and e.number = $3
  on conflict (provider, webhook_id, number) do update
  set status = 'pending', tries = 0, first_tried_at = null, next_try_at = excluded.next_try_at, answer_status = null, error = null
  returning ${deliveryColumns}`;
