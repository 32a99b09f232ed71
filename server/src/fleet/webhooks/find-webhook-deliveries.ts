import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  type DeliveryRow,
  DeliverySchema,
  deliveries,
  deliveryOf,
  exampleDelivery,
} from './delivery.ts';
import { webhookKey, webhookParameter } from './webhook.ts';
import { getWebhookRow } from './webhook-store.ts';

export const findWebhookDeliveries = operation({
  id: 'findWebhookDeliveries',
  method: 'POST',
  path: '/webhooks/{webhookId}/deliveries/search',
  tag: 'Events',
  role: 'admin',
  workload: 'search',
  origin: 'motorpool',
  summary: 'Read the log of deliveries of a webhook',
  description:
    'Returns the deliveries that match all filters, in pages; the newest first unless another order is asked for. They are kept as long as events are.',
  parameters: webhookParameter,
  body: {
    schema: Type.Object(searchProperties(deliveries.fields), {
      $id: 'FindWebhookDeliveriesRequest',
      additionalProperties: false,
    }),
    required: false,
    parse: (body) => parseSearch(deliveries, body),
    examples: {
      failed: {
        summary: 'Those that are not tried again',
        value: { filters: [{ field: 'status', value: 'failed' }] },
      },
    },
  },
  responses: {
    200: pageResponse(
      'FindWebhookDeliveriesResponse',
      'A page of deliveries.',
      DeliverySchema,
      exampleDelivery,
    ),
  },
  notFound: ['webhook'],
  async handler({ provider, parameters: { webhookId }, body }, { db }: Dependencies) {
    const key = webhookKey(provider, webhookId);
    await getWebhookRow(db, key);
    const scope = { conditions: ['d.provider = $1', 'd.webhook_id = $2'], values: [...key] };
    const { rows, pagination } = await search<DeliveryRow>(db, deliveries, scope, body);
    return { status: 200, body: { items: rows.map(deliveryOf), pagination } };
  },
});
