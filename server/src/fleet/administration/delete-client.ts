import { removeClient } from '../../auth/clients.ts';
import { requireMatchingRow } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import { changedMeanwhile, clientParameter, ifMatchHeader } from './client.ts';
import { ownAccessRefused, requireOtherClient } from './own-access.ts';

export const deleteClient = operation({
  id: 'deleteClient',
  method: 'DELETE',
  path: '/administration/clients/{clientId}',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Delete a client',
  description:
    'The tokens that the client has, and those that people got through it, are refused within a second. A second call answers 404.',
  parameters: clientParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The client is deleted.' } },
  notFound: ['client'],
  problems: { ...conflicts(ownAccessRefused), ...changedMeanwhile },
  handler: ({ provider, caller, parameters: { clientId }, header }, dependencies: Dependencies) =>
    administer(dependencies, caller(), async (tx) => {
      requireOtherClient(caller(), clientId);
      const key = [provider.id, clientId] as const;
      await requireMatchingRow(tx, 'client', clientRow, key, header('if-match'));
      if (!(await removeClient(tx, ...key))) throw notFound('client');
      return { status: 204 };
    }),
});

const clientRow = 'clients where provider = $1 and id = $2';
