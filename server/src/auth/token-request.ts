import { tokenLifetimeSeconds } from './keys.ts';

/** The token request in the OpenAPI document; the library serves it. */
export const tokenRequestPaths = {
  '/realms/{realm}/protocol/openid-connect/token': {
    parameters: [
      {
        name: 'realm',
        in: 'path',
        required: true,
        description: 'Country code of the asset provider, a hyphen, and its code.',
        schema: { type: 'string', pattern: '^[A-Z]{2}-[A-Z0-9]{3}$' },
        example: 'DE-ABC',
      },
    ],
    post: {
      operationId: 'requestToken',
      tags: ['Authorization'],
      summary: 'Request an access token',
      description: `Client credentials flow. The token lives ${tokenLifetimeSeconds / 60} minutes; there is no refresh token. HTTP Basic works in place of client_id and client_secret.`,
      'x-motorpool-origin': 'interface',
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: {
              type: 'object',
              required: ['grant_type'],
              properties: {
                grant_type: { type: 'string', const: 'client_credentials' },
                client_id: { type: 'string' },
                client_secret: { type: 'string', format: 'password' },
                scope: { type: 'string', description: 'May be left out.', examples: ['openid'] },
              },
            },
            example: {
              grant_type: 'client_credentials',
              client_id: 'demo-client',
              client_secret: 'demo-secret',
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
        400: oauthError('The grant type is missing or not supported, or the request is malformed.'),
        401: oauthError('The client is unknown or the secret is wrong.'),
        404: oauthError('There is no such realm.'),
        429: oauthError('Too many failed attempts; Retry-After says how long to wait.'),
        503: oauthError('The service cannot answer right now; Retry-After says when to try again.'),
      },
    },
  },
};

export const tokenRequestSchemas = {
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
      access_token: {
        type: 'string',
        description: 'Sent as Authorization: Bearer <ACCESS_TOKEN>.',
      },
      expires_in: { type: 'number', description: 'Seconds that the token lives.' },
      refresh_expires_in: { type: 'number' },
      token_type: { type: 'string', const: 'Bearer' },
      'not-before-policy': { type: 'number' },
      scope: { type: 'string' },
    },
  },
  OAuthError: {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string' }, error_description: { type: 'string' } },
    description: 'An error in the shape of OAuth (RFC 6749).',
  },
};

function oauthError(description: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
  };
}
