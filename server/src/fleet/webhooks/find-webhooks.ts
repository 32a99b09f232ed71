import Type from 'typebox';
import { operation } from '../../platform/http/operation.ts';
import { pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import { exampleWebhook, type WebhookRow, WebhookSchema, webhookOf, webhooks } from './webhook.ts';

export const findWebhooks = operation({
  id: 'findWebhooks',
  method: 'POST',
  path: '/webhooks/search',
  tag: 'Events',
  role: 'admin',
  workload: 'search',
  origin: 'motorpool',
  summary: 'Find webhooks',
  description:
    'Returns the webhooks that match all filters, without their secrets, in pages; the oldest first unless another order is asked for.',
  parameters: {},
  body: {
    schema: Type.Object(searchProperties(webhooks.fields, true), {
      $id: 'FindWebhooksRequest',
      additionalProperties: false,
    }),
    required: false,
    parse: (body) => parseSearch(webhooks, body),
    examples: {
      failing: {
        summary: 'Those whose deliveries fail',
        value: { filters: [{ field: 'failingSince', operator: 'exists', value: true }] },
      },
    },
  },
  responses: {
    200: pageResponse('FindWebhooksResponse', 'A page of webhooks.', WebhookSchema, exampleWebhook),
  },
  notFound: [],
  async handler({ provider, body }, { db }: Dependencies) {
    const scope = { conditions: ['w.provider = $1'], values: [provider.id] };
    const { rows, pagination } = await search<WebhookRow>(db, webhooks, scope, body);
    return { status: 200, body: { items: rows.map(webhookOf), pagination } };
  },
});
