import { setClientDisabled } from '../../auth/clients.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import { ClientSchema, clientOf, clientParameter, etagHeader, exampleClient } from './client.ts';
import { ownAccessRefused, requireOtherClient } from './own-access.ts';

export const disableClient = operation({
  id: 'disableClient',
  method: 'POST',
  path: '/administration/clients/{clientId}/disable',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Disable a client',
  description:
    'The client gets no tokens. Those that it has, and those that people got through it, are refused within a second, also after it is ' +
    'enabled again.',
  parameters: clientParameter,
  responses: {
    200: {
      description: 'The client, disabled.',
      schema: ClientSchema,
      example: { ...exampleClient, disabledAt: '2026-11-15T09:00:00.000Z' },
      headers: etagHeader,
    },
  },
  notFound: ['client'],
  problems: conflicts(ownAccessRefused),
  handler: ({ provider, caller, parameters: { clientId } }, dependencies: Dependencies) =>
    administer(dependencies, caller(), async (tx) => {
      requireOtherClient(caller(), clientId);
      const row = await setClientDisabled(tx, provider.id, clientId, true);
      if (!row) throw notFound('client');
      return { status: 200, headers: { etag: etagOf(row.version) }, body: clientOf(row) };
    }),
});
