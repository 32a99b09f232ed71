import Type from 'typebox';
import type { ClientRow } from '../../auth/clients.ts';
import { operation } from '../../platform/http/operation.ts';
import { pageBody, pageResponse } from '../../platform/search/page.ts';
import { parseSearch } from '../../platform/search/parse-search.ts';
import { searchProperties } from '../../platform/search/request-schema.ts';
import { search } from '../../platform/search/search.ts';
import type { Dependencies } from '../dependencies.ts';
import { conflicts, requireOwnRealm } from './administer.ts';
import { ClientSchema, clientOf, clients, exampleClient } from './client.ts';

const FindClientsSchema = Type.Object(searchProperties(clients.fields, true), {
  $id: 'FindClientsRequest',
  additionalProperties: false,
});

export const findClients = operation({
  id: 'findClients',
  method: 'POST',
  path: '/administration/clients/search',
  tag: 'Administration',
  role: 'admin',
  workload: 'search',
  origin: 'motorpool',
  summary: 'Find clients of the interface',
  description:
    'Returns the clients that match all filters, without their secrets, in pages; by name unless another order is asked for. ' +
    'A filter without a field looks for text in the id and the name.',
  parameters: {},
  body: {
    schema: FindClientsSchema,
    required: false,
    parse: (body) => parseSearch(clients, body),
    examples: {
      enabled: {
        summary: 'Those that are not disabled, the newest first',
        value: {
          filters: [{ field: 'disabledAt', operator: 'exists', value: false }],
          sorting: [{ field: 'createdAt', direction: 'desc' }],
        },
      },
    },
  },
  responses: {
    200: pageResponse('FindClientsResponse', 'A page of clients.', ClientSchema, exampleClient),
  },
  notFound: [],
  problems: conflicts(),
  async handler({ provider, body }, dependencies: Dependencies) {
    requireOwnRealm(dependencies);
    const scope = { conditions: ['c.provider = $1'], values: [provider.id] };
    const found = await search<ClientRow>(dependencies.db, clients, scope, body);
    return { status: 200, body: pageBody(found.rows, found, { itemOf: clientOf }) };
  },
});
