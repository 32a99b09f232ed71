import Type from 'typebox';
import { maxKeepPreviousHours, rotateClient } from '../../auth/clients.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import {
  ClientCredentialsSchema,
  clientOf,
  clientParameter,
  etagHeader,
  exampleClient,
  exampleSecret,
} from './client.ts';

const RotateClientSecretSchema = Type.Object(
  {
    keepPreviousHours: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxKeepPreviousHours,
        default: 0,
        description: 'For how long the previous secret stays valid, too.',
        examples: [24],
      }),
    ),
  },
  { $id: 'RotateClientSecretRequest', additionalProperties: false },
);

export const rotateClientSecret = operation({
  id: 'rotateClientSecret',
  method: 'POST',
  path: '/administration/clients/{clientId}/rotate',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Replace the secret of a client',
  description:
    'The new secret is in this answer alone. With keepPreviousHours both secrets are valid meanwhile, so that programs can be changed ' +
    'one after the other; a secret before the previous one is refused. Without it, the previous secret is refused at once, and the tokens ' +
    'that the client has within a second.',
  parameters: clientParameter,
  body: {
    schema: RotateClientSecretSchema,
    required: false,
    examples: {
      overlap: { summary: 'With both secrets valid for a day', value: { keepPreviousHours: 24 } },
    },
  },
  responses: {
    200: {
      description: 'The client, with its new secret.',
      schema: ClientCredentialsSchema,
      example: {
        ...exampleClient,
        previousSecretExpiresAt: '2026-11-16T08:30:00.000Z',
        secret: exampleSecret,
      },
      headers: etagHeader,
    },
  },
  notFound: ['client'],
  problems: conflicts('A public client has no secret.'),
  handler: ({ provider, caller, parameters: { clientId }, body }, dependencies: Dependencies) =>
    administer(dependencies, caller(), async (tx) => {
      const { keepPreviousHours = 0 } = body;
      const rotated = await rotateClient(tx, provider.id, clientId, keepPreviousHours);
      if (!rotated) throw notFound('client');
      const { client, secret } = rotated;
      return {
        status: 200,
        headers: { etag: etagOf(client.version) },
        body: { ...clientOf(client), secret },
      };
    }),
});
