import Type from 'typebox';
import { clientIssues } from '../../auth/client-settings.ts';
import { getClient, updateClient } from '../../auth/clients.ts';
import { etagOf, requireMatch } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import {
  ClientSchema,
  changedMeanwhile,
  clientOf,
  clientParameter,
  clientRequestProperties,
  etagHeader,
  exampleClient,
  exampleClientRequest,
  ifMatchHeader,
  settingsOf,
} from './client.ts';
import { ownAccessRefused, requireOwnClientAccess } from './own-access.ts';

const PutClientSchema = Type.Object(
  { ...clientRequestProperties, public: readOnly },
  { $id: 'PutClientRequest', additionalProperties: false },
);

export const putClient = operation({
  id: 'putClient',
  method: 'PUT',
  path: '/administration/clients/{clientId}',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Overwrite the settings of a client',
  description:
    'What the body leaves out is cleared. When the role, the networks or the expiry change, the tokens that the client has, and those ' +
    'that people got through it, are refused within a second. Whether a client is public cannot be changed.',
  parameters: clientParameter,
  requestHeaders: ifMatchHeader,
  body: {
    schema: PutClientSchema,
    required: true,
    rules: (body, { now }) => clientIssues(settingsOf(body), now),
    examples: { machine: { summary: 'A program that reads', value: exampleClientRequest } },
  },
  responses: {
    200: {
      description: 'The client, overwritten.',
      schema: ClientSchema,
      example: exampleClient,
      headers: etagHeader,
    },
  },
  notFound: ['client'],
  problems: {
    ...conflicts(ownAccessRefused, 'A public client needs a redirect URI.'),
    ...changedMeanwhile,
  },
  handler: (
    { provider, caller, parameters: { clientId }, header, body },
    dependencies: Dependencies,
  ) =>
    administer(dependencies, caller(), async (tx) => {
      const settings = settingsOf(body);
      const present = await getClient(tx, provider.id, clientId);
      requireOwnClientAccess(caller(), clientId, settings, present);
      const row = await updateClient(tx, provider.id, clientId, settings);
      if (!row) throw notFound('client');
      requireMatch(header('if-match'), row.version - 1);
      return { status: 200, headers: { etag: etagOf(row.version) }, body: clientOf(row) };
    }),
});
