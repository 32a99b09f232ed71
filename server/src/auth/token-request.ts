import { maxHeaderBytes } from '../platform/http/header-limit.ts';
import { tokenLifetimeSeconds } from './keys.ts';

const text = (maxLength: number, description?: string) => ({
  type: 'string',
  maxLength,
  ...(description && { description }),
});

// Longer ones are of no client.
const clientId = text(200, 'The id of the client.');
const redirectUri = text(2_000, 'Where the browser returns to: one that the client registered.');
const parameters = [{ $ref: '#/components/parameters/realm' }];

/** The token request in the OpenAPI document; the library serves it. */
const tokenRequest = {
  operationId: 'requestToken',
  tags: ['Authorization'],
  summary: 'Request an access token',
  description:
    `The token lives ${tokenLifetimeSeconds / 60} minutes. A client by itself gets one for its secret (client_credentials), and no refresh token. For a ` +
    'person who has signed in, it is the code of the authorization code flow that is exchanged, and then the refresh token. HTTP Basic works in place of ' +
    'client_id and client_secret; a public client has no secret, and sends the code_verifier of PKCE.',
  'x-motorpool-origin': 'interface',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: { $ref: '#/components/schemas/TokenRequest' },
        examples: {
          clientCredentials: {
            summary: 'A client by itself',
            value: {
              grant_type: 'client_credentials',
              client_id: 'demo-client',
              client_secret: 'demo-secret',
            },
          },
        },
      },
    },
  },
  responses: {
    200: {
      description: 'The token.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Token' },
          example: {
            access_token: 'eyJhbGciOiJSUzI1NiIs…',
            expires_in: tokenLifetimeSeconds,
            refresh_expires_in: 0,
            token_type: 'Bearer',
            'not-before-policy': 0,
            scope: 'openid',
          },
        },
      },
    },
    400: oauthError(
      'The grant type is missing or not supported, the code or the refresh token is not valid, or the request is malformed.',
    ),
    401: oauthError('The client is unknown or the secret is wrong.'),
    404: oauthError('There is no such realm.'),
    429: oauthError('Too many failed attempts; Retry-After says how long to wait.'),
    503: oauthError('The service cannot answer right now; Retry-After says when to try again.'),
  },
};

const authorizationRequest = {
  operationId: 'authorize',
  tags: ['Authorization'],
  summary: 'Begin the authorization code flow',
  description:
    'A page that the browser of a person opens, not a call of a client: the person signs in, and the browser returns to `redirect_uri` with `code` and ' +
    '`state`. The code is exchanged once and within a minute by requestToken, with `grant_type=authorization_code`.',
  'x-motorpool-origin': 'interface',
  security: [],
  parameters: [
    inQuery('response_type', { type: 'string', const: 'code' }, true),
    inQuery('client_id', clientId, true),
    inQuery('redirect_uri', redirectUri, true),
    inQuery('scope', text(1_000, 'Contains `openid`.'), true),
    inQuery('state', text(2_000, 'Returned as it is, so that a client knows its own request.')),
    inQuery('nonce', text(2_000, 'Returned in the ID token.')),
    inQuery(
      'code_challenge',
      text(
        128,
        'The SHA-256 hash of the code_verifier, in base64url; a public client must send it.',
      ),
    ),
    inQuery('code_challenge_method', { type: 'string', const: 'S256' }),
  ],
  responses: {
    303: {
      description:
        'To the sign-in page, or back to `redirect_uri` with `code` or `error` when nothing is to be asked.',
    },
    400: {
      description: 'A page that says what is wrong: the client or its redirect_uri is unknown.',
    },
    404: { description: 'There is no such realm.' },
    429: { description: 'Too many begun sign-ins; Retry-After says how long to wait.' },
  },
};

const openIdConnect = '/realms/{realm}/protocol/openid-connect';

export const tokenRequestPaths = {
  [`${openIdConnect}/token`]: { parameters, post: tokenRequest },
  [`${openIdConnect}/auth`]: { parameters, get: authorizationRequest },
};

export const tokenRequestComponents = {
  parameters: {
    realm: {
      name: 'realm',
      in: 'path' as const,
      required: true as const,
      description: 'Country code of the asset provider, a hyphen, and its code.',
      schema: { type: 'string', maxLength: 6, pattern: '^[A-Z]{2}-[A-Z0-9]{3}$' },
      example: 'DE-ABC',
    },
  },
  schemas: {
    TokenRequest: {
      type: 'object',
      required: ['grant_type'],
      properties: {
        grant_type: {
          type: 'string',
          enum: ['client_credentials', 'authorization_code', 'refresh_token'],
        },
        client_id: clientId,
        client_secret: { ...text(1_000), format: 'password' },
        scope: { ...text(1_000, 'May be left out.'), examples: ['openid'] },
        code: text(1_000, 'Of the authorization code flow.'),
        redirect_uri: { ...redirectUri, description: 'As it was sent to begin the flow.' },
        code_verifier: text(128, 'Of PKCE, whose hash began the flow.'),
        refresh_token: text(maxHeaderBytes, 'The one that was answered last.'),
      },
    },
    Token: {
      type: 'object',
      required: [
        'access_token',
        'expires_in',
        'refresh_expires_in',
        'token_type',
        'not-before-policy',
        'scope',
      ],
      properties: {
        access_token: text(maxHeaderBytes, 'Sent as Authorization: Bearer <ACCESS_TOKEN>.'),
        expires_in: { type: 'integer', description: 'Seconds that the token lives.' },
        refresh_expires_in: {
          type: 'integer',
          description: 'Seconds that the refresh token lives; 0 without one.',
        },
        token_type: { type: 'string', const: 'Bearer' },
        'not-before-policy': { type: 'integer' },
        scope: text(1_000),
        refresh_token: text(maxHeaderBytes, 'Of a person’s sign-in.'),
        id_token: text(maxHeaderBytes, 'Who has signed in.'),
      },
    },
    OAuthError: {
      type: 'object',
      required: ['error'],
      properties: { error: text(100), error_description: text(10_000) },
      description: 'An error in the shape of OAuth (RFC 6749).',
    },
  },
};

function inQuery(name: string, schema: object, required = false) {
  const { description, ...rest } = schema as { description?: string };
  return { name, in: 'query', ...(required && { required }), description, schema: rest };
}

function oauthError(description: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
  };
}
