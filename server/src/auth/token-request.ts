import { maxHeaderBytes } from '../platform/http/header-limit.ts';
import {
  clientId,
  clientSecret,
  oauthError,
  openIdConnect,
  programErrors,
  realmParameters,
  redirectUri,
  text,
} from './document-parts.ts';
import { tokenLifetimeSeconds } from './keys.ts';
import { realmPaths, realmSchemas } from './realm-requests.ts';
import { signInPaths, signInSchemas } from './sign-in-requests.ts';

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
    ...programErrors,
  },
};

export const authorizationPaths = {
  [`${openIdConnect}/token`]: { parameters: realmParameters, post: tokenRequest },
  ...signInPaths,
  ...realmPaths,
};

export const authorizationComponents = {
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
        client_secret: clientSecret,
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
    ...signInSchemas,
    ...realmSchemas,
  },
};
