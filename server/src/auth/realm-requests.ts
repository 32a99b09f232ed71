import { maxHeaderBytes } from '../platform/http/header-limit.ts';
import {
  clientId,
  clientSecret,
  formBody,
  jsonAnswer,
  libraryErrors,
  oauthError,
  openIdConnect,
  realmParameters as parameters,
  programErrors,
  text,
} from './document-parts.ts';

/** What is said of the endpoints that tell of tokens, keys and people; as in Keycloak, and most of them by the library. */

const origin = { tags: ['Authorization'], 'x-motorpool-origin': 'motorpool' };
const problem = (name: string) => ({ $ref: `#/components/responses/${name}` });
const tokenForm = {
  token: 'eyJhbGciOiJSUzI1NiIs…',
  client_id: 'demo-client',
  client_secret: 'demo-secret',
};

const introspectToken = {
  operationId: 'introspectToken',
  ...origin,
  summary: 'Ask whether a token is active, and whose it is',
  description:
    'For clients with a secret, such as APIs that are sent tokens of the realm (RFC 7662). What was disabled or revoked is inactive at once. A refresh ' +
    'token is told of to the client alone that has it. HTTP Basic works in place of client_id and client_secret.',
  security: [],
  requestBody: formBody('IntrospectionRequest', tokenForm),
  responses: {
    200: jsonAnswer('What the token says, if it is active.', 'TokenIntrospection', {
      active: true,
      client_id: 'demo-client',
      sub: 'demo-client',
      token_type: 'Bearer',
      scope: 'openid',
      exp: 1_798_761_900,
      realm_access: { roles: ['editor'] },
    }),
    400: oauthError('There is no token, or the request is malformed.'),
    ...programErrors,
  },
};

const revokeToken = {
  operationId: 'revokeToken',
  ...origin,
  summary: 'Revoke a token',
  description:
    'A refresh token ends with all that was issued by its grant; an access token of a client by itself (RFC 7009). A token of another client stays, and ' +
    'is answered the same. Requests with a revoked access token are refused within a second.',
  security: [],
  requestBody: formBody('RevocationRequest', tokenForm),
  responses: {
    200: { description: 'The client has no such token any more.' },
    400: oauthError('There is no token, or the request is malformed.'),
    ...programErrors,
  },
};

const getUserInfo = {
  operationId: 'getUserInfo',
  ...origin,
  summary: 'Read who has signed in',
  description: 'The person whom the access token was issued for; of a client, its id alone.',
  responses: {
    200: jsonAnswer('The person.', 'UserInfo', {
      sub: '5f0c6f5e-6f0a-4f43-9d5e-0f6d3f7a1b2c',
      preferred_username: 'demo',
      name: 'Demo',
      email_verified: false,
    }),
    401: problem('Unauthorized'),
    404: problem('NotFound'),
    503: problem('ServiceUnavailable'),
  },
};

const getSigningKeys = {
  operationId: 'getSigningKeys',
  ...origin,
  summary: 'Read the keys that tokens are verified with',
  description:
    'The public keys of the realm as a JSON Web Key Set (RFC 7517). The header `kid` of a token names its key; an unknown one means that the keys are to be read again.',
  security: [],
  responses: {
    200: jsonAnswer(
      'The keys.',
      'SigningKeys',
      {
        keys: [
          { kty: 'RSA', use: 'sig', alg: 'RS256', kid: 'a1b2c3', n: '0vx7agoebGcQ…', e: 'AQAB' },
        ],
      },
      'application/jwk-set+json',
    ),
    ...libraryErrors,
  },
};

const getRealm = {
  operationId: 'getRealm',
  ...origin,
  summary: 'Read the public key of a realm',
  description: 'What Keycloak tells of a realm, for clients that take the key from here.',
  security: [],
  responses: {
    200: jsonAnswer('The realm.', 'RealmInfo', {
      realm: 'DE-ABC',
      public_key: 'MIIBIjANBgkqhkiG9w0B…',
      'token-service': 'https://fleet.example.com/realms/DE-ABC/protocol/openid-connect',
      'account-service': 'https://fleet.example.com/realms/DE-ABC/account',
      'tokens-not-before': 0,
    }),
    404: problem('NotFound'),
    503: problem('ServiceUnavailable'),
  },
};

export const realmPaths = {
  '/realms/{realm}': { parameters, get: getRealm },
  [`${openIdConnect}/token/introspect`]: { parameters, post: introspectToken },
  [`${openIdConnect}/revoke`]: { parameters, post: revokeToken },
  [`${openIdConnect}/userinfo`]: { parameters, get: getUserInfo },
  [`${openIdConnect}/certs`]: { parameters, get: getSigningKeys },
};

const token = text(maxHeaderBytes, 'An access token or a refresh token.');
const tokenTypeHint = text(100, 'Of no effect: every kind is looked for.');
const time = (description: string) => ({ type: 'integer', description });
const request = {
  type: 'object',
  required: ['token'],
  properties: {
    token,
    token_type_hint: tokenTypeHint,
    client_id: clientId,
    client_secret: clientSecret,
  },
};
const person = {
  preferred_username: text(200, 'The name by which the person signs in.'),
  name: text(1_000),
  email: text(1_000),
  email_verified: { type: 'boolean' },
};

export const realmSchemas = {
  IntrospectionRequest: request,
  RevocationRequest: request,
  TokenIntrospection: {
    type: 'object',
    required: ['active'],
    description: 'The claims of the token. One that is not active has none.',
    properties: {
      active: { type: 'boolean', description: 'Whether the token is accepted now.' },
      client_id: { ...clientId, description: 'Whom the token was issued to.' },
      username: text(200, 'Of a person.'),
      sub: text(200, 'The id of the person or of the client.'),
      token_type: text(20),
      scope: text(1_000),
      iss: text(2_000, 'The address of the realm.'),
      exp: time('When it expires, in seconds since 1970.'),
      iat: time('When it was issued.'),
      jti: text(200, 'The id of the token.'),
      sid: text(200, 'The id of the session.'),
      realm_access: {
        type: 'object',
        properties: { roles: { type: 'array', maxItems: 10, items: text(100) } },
      },
      ...person,
    },
    additionalProperties: true,
  },
  UserInfo: {
    type: 'object',
    required: ['sub'],
    properties: { sub: text(200, 'The id of the person or of the client.'), ...person },
  },
  SigningKeys: {
    type: 'object',
    required: ['keys'],
    properties: {
      keys: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['kty', 'kid', 'n', 'e'],
          properties: {
            kty: { type: 'string', const: 'RSA' },
            use: { type: 'string', const: 'sig' },
            alg: { type: 'string', const: 'RS256' },
            kid: text(200, 'The id of the key.'),
            n: text(2_000),
            e: text(20),
          },
        },
      },
    },
  },
  RealmInfo: {
    type: 'object',
    required: ['realm', 'public_key', 'token-service', 'account-service', 'tokens-not-before'],
    properties: {
      realm: text(6, 'The name of the realm.'),
      public_key: text(2_000, 'The key that signs now, as SPKI in base64.'),
      'token-service': text(2_000),
      'account-service': text(2_000),
      'tokens-not-before': { type: 'integer' },
    },
  },
};
