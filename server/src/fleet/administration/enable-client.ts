import { setClientDisabled } from '../../auth/clients.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import { ClientSchema, clientOf, clientParameter, etagHeader, exampleClient } from './client.ts';

export const enableClient = operation({
  id: 'enableClient',
  method: 'POST',
  path: '/administration/clients/{clientId}/enable',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Enable a disabled client',
  description: 'The client gets tokens again, with the secret that it had.',
  parameters: clientParameter,
  responses: {
    200: {
      description: 'The client, enabled.',
      schema: ClientSchema,
      example: exampleClient,
      headers: etagHeader,
    },
  },
  notFound: ['client'],
  problems: conflicts(),
  handler: ({ provider, caller, parameters: { clientId } }, dependencies: Dependencies) =>
    administer(dependencies, caller(), async (tx) => {
      const row = await setClientDisabled(tx, provider.id, clientId, false);
      if (!row) throw notFound('client');
      return { status: 200, headers: { etag: etagOf(row.version) }, body: clientOf(row) };
    }),
});
