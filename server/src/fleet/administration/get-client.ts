import { getClient as readClient } from '../../auth/clients.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { conflicts, requireOwnRealm } from './administer.ts';
import { ClientSchema, clientOf, clientParameter, etagHeader, exampleClient } from './client.ts';

export const getClient = operation({
  id: 'getClient',
  method: 'GET',
  path: '/administration/clients/{clientId}',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Read a client',
  description: 'Returns the settings of one client, without its secret.',
  parameters: clientParameter,
  responses: {
    200: {
      description: 'The client.',
      schema: ClientSchema,
      example: exampleClient,
      headers: etagHeader,
    },
  },
  notFound: ['client'],
  problems: conflicts(),
  async handler({ provider, parameters: { clientId } }, dependencies: Dependencies) {
    requireOwnRealm(dependencies);
    const row = await readClient(dependencies.db, provider.id, clientId);
    if (!row) throw notFound('client');
    return { status: 200, headers: { etag: etagOf(row.version) }, body: clientOf(row) };
  },
});
