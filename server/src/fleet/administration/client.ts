import Type, { type Static } from 'typebox';
import type { ClientSettings } from '../../auth/client-settings.ts';
import { type ClientRow, clientColumns } from '../../auth/clients.ts';
import { etagTexts } from '../../platform/http/etag.ts';
import { textParameter } from '../../platform/http/path-parameter.ts';
import { roles } from '../../platform/http/principal.ts';
import { fieldsOf } from '../../platform/search/field.ts';
import { readOnly } from '../../platform/search/read-only.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { orderedText } from '../../platform/search/text-sql.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';

export const maxClientIdLength = 200;

const addresses = (description: string, example: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), {
      maxItems: 50,
      uniqueItems: true,
      description,
      examples: [[example]],
    }),
  );

const settings = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'What people call it.',
    examples: ['ERP'],
  }),
  networks: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
      maxItems: 50,
      uniqueItems: true,
      description: 'The addresses and networks that it may call from; all when left out.',
      examples: [['192.0.2.0/24', '2001:db8::/32']],
    }),
  ),
  redirectUris: addresses(
    'Where the authorization code flow may return to, compared character by character: an asterisk is refused. Pages of these origins may request tokens. A client without one signs nobody in.',
    'https://app.example.com/signed-in',
  ),
  postLogoutRedirectUris: addresses(
    'Where a logout may return to, beside the redirect URIs.',
    'https://app.example.com/goodbye',
  ),
  audiences: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: '^\\S+$' }), {
      maxItems: 50,
      uniqueItems: true,
      description:
        'Who its tokens are for (`aud`), beside the client itself and this service: the names of other APIs that people call through it.',
      examples: [['reports']],
    }),
  ),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'From when on it gets no tokens, and those that it has are refused.',
    }),
  ),
};

const role = {
  type: 'string',
  description: 'What it may do. A person who signs in through it gets what both roles permit.',
  examples: ['viewer'],
} as const;

/** Unset values are absent. */
export const ClientSchema = Type.Object(
  {
    id: Type.String({
      maxLength: maxClientIdLength,
      description: 'The client_id.',
    }),
    ...settings,
    role: Type.Enum([...roles], role),
    public: Type.Boolean({
      description: 'Whether it is a page or an app, which has no secret and uses PKCE.',
    }),
    previousSecretExpiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Until when the secret before the last rotation is also valid.',
      }),
    ),
    createdAt: Type.String({ format: 'date-time', description: 'When it was made.' }),
    updatedAt: Type.String({ format: 'date-time', description: 'When it was last changed.' }),
    disabledAt: Type.Optional(
      Type.String({ format: 'date-time', description: 'Since when it is disabled.' }),
    ),
  },
  { $id: 'Client', additionalProperties: false },
);
type Client = Static<typeof ClientSchema>;

export const ClientCredentialsSchema = Type.Object(
  {
    ...ClientSchema.properties,
    secret: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The client_secret, which is not shown again; absent for a public client.',
      }),
    ),
  },
  { $id: 'ClientCredentials', additionalProperties: false },
);

export const clientRequestProperties = {
  ...settings,
  role: Type.Optional(Type.Enum([...roles], { ...role, default: 'editor' })),
  id: readOnly,
  previousSecretExpiresAt: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
  disabledAt: readOnly,
};

type RequestSettings = Omit<ClientSettings, 'expiresAt'> & { expiresAt?: string | undefined };

export function settingsOf(request: RequestSettings): ClientSettings {
  const { name, role, networks, audiences, redirectUris, postLogoutRedirectUris, expiresAt } =
    request;
  return {
    name,
    role,
    networks,
    audiences,
    redirectUris,
    postLogoutRedirectUris,
    ...(expiresAt !== undefined && { expiresAt: new Date(toMilliseconds(expiresAt)) }),
  };
}

export function clientOf(row: ClientRow): Client {
  const { redirectUris, postLogoutRedirectUris, networks, audiences } = row;
  const { expiresAt, disabledAt, previousSecretExpiresAt } = row;
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    public: row.isPublic,
    ...(networks.length > 0 && { networks }),
    ...(audiences.length > 0 && { audiences }),
    ...(redirectUris.length > 0 && { redirectUris }),
    ...(postLogoutRedirectUris.length > 0 && { postLogoutRedirectUris }),
    ...(expiresAt !== null && { expiresAt }),
    ...(previousSecretExpiresAt !== null &&
      Date.parse(previousSecretExpiresAt) > Date.now() && { previousSecretExpiresAt }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...(disabledAt !== null && { disabledAt }),
  };
}

export const exampleClientRequest = {
  name: 'ERP',
  role: 'viewer' as const,
  networks: ['192.0.2.0/24', '2001:db8::/32'],
  expiresAt: '2099-12-31T23:59:59.000Z',
};

export const exampleClient: Client = {
  id: 'erp-4f1c09ab7e',
  ...exampleClientRequest,
  public: false,
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};

export const exampleSecret = 'kOQ2fJmXzYw0t5sVb8nR1cL7uE3hG6iDpA9xM4yT-Zs';

export const { etagHeader, ifMatchHeader, changedMeanwhile } = etagTexts('client');

/** The path parameter of every operation on one client. */
export const clientParameter = {
  clientId: textParameter(maxClientIdLength, 'The id of the client.', exampleClient.id),
};

const milliseconds = (column: string) => `date_trunc('milliseconds', ${column})`;

export const clients: Searchable = {
  fields: fieldsOf({
    id: ['text', 'c.id'],
    name: ['text', 'c.name'],
    role: ['text', 'c.role', { values: roles }],
    public: ['boolean', '(c.secret_hash is null)'],
    networks: ['text', 'network', { anyOf: 'from unnest(c.networks) network where true' }],
    audiences: ['text', 'audience', { anyOf: 'from unnest(c.audiences) audience where true' }],
    redirectUris: ['text', 'uri', { anyOf: 'from unnest(c.redirect_uris) uri where true' }],
    expiresAt: ['date-time', milliseconds('c.expires_at')],
    createdAt: ['date-time', milliseconds('c.created_at')],
    updatedAt: ['date-time', 'c.updated_at'],
    disabledAt: ['date-time', milliseconds('c.disabled_at')],
  }),
  columns: clientColumns,
  from: 'clients c',
  textColumns: ['c.id', 'c.name'],
  defaultOrder: [orderedText('c.name')],
  id: 'c.id',
};
