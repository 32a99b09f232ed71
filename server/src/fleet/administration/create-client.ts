import Type, { type Static } from 'typebox';
import { clientIssues } from '../../auth/client-settings.ts';
import { addClient, getClient } from '../../auth/clients.ts';
import { etagOf } from '../../platform/http/etag.ts';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import { administer, conflicts } from './administer.ts';
import {
  ClientCredentialsSchema,
  clientOf,
  clientRequestProperties,
  etagHeader,
  exampleClient,
  exampleClientRequest,
  exampleSecret,
  settingsOf,
} from './client.ts';

const CreateClientSchema = Type.Object(
  {
    ...clientRequestProperties,
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          'The client_id: 1 to 64 letters, digits or any of . _ -; made from the name when left out.',
        examples: ['erp'],
      }),
    ),
    public: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Whether it is a page or an app, which cannot keep a secret and uses PKCE.',
      }),
    ),
  },
  { $id: 'CreateClientRequest', additionalProperties: false },
);

const newClientOf = (body: Static<typeof CreateClientSchema>) => ({
  ...settingsOf(body),
  id: body.id,
  isPublic: body.public,
});

export const createClient = operation({
  id: 'createClient',
  method: 'POST',
  path: '/administration/clients',
  tag: 'Administration',
  role: 'admin',
  origin: 'motorpool',
  summary: 'Issue a client id and a secret',
  description: 'The secret is in this answer alone: the service keeps a hash of it.',
  parameters: {},
  body: {
    schema: CreateClientSchema,
    required: true,
    rules: (body, { now }) => clientIssues(newClientOf(body), now),
    examples: {
      machine: { summary: 'A program that reads', value: exampleClientRequest },
      application: {
        summary: 'A page that people sign in to',
        value: {
          name: 'Dashboard',
          role: 'admin',
          public: true,
          redirectUris: ['https://app.example.com/signed-in'],
          postLogoutRedirectUris: ['https://app.example.com/goodbye'],
        },
      },
    },
  },
  responses: {
    201: {
      description: 'The client, with its secret.',
      schema: ClientCredentialsSchema,
      example: { ...exampleClient, secret: exampleSecret },
      headers: { Location: 'The path of the client.', ...etagHeader },
    },
  },
  notFound: [],
  problems: conflicts('The client id is taken, or there are too many clients.'),
  handler: ({ provider, caller, body }, dependencies: Dependencies) =>
    administer(dependencies, caller(), async (tx) => {
      const { id, secret } = await addClient(tx, provider.id, newClientOf(body));
      const row = await getClient(tx, provider.id, id);
      if (!row) throw notFound('client');
      return {
        status: 201,
        headers: {
          location: locationOf(provider, 'administration', 'clients', id),
          etag: etagOf(row.version),
        },
        body: { ...clientOf(row), ...(secret !== undefined && { secret }) },
      };
    }),
});
