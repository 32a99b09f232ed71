import { maxHeaderBytes } from '../platform/http/header-limit.ts';
import {
  clientId,
  clientSecret,
  formBody,
  inQuery,
  oauthError,
  openIdConnect,
  pageErrors,
  realmParameters as parameters,
  programErrors,
  redirectUri,
  text,
} from './document-parts.ts';

const tags = ['Authorization'];
const state = text(2_000, 'Returned as it is, so that a client knows its own request.');

const authorizationRequest = {
  operationId: 'authorize',
  tags,
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
    inQuery('state', state),
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
    ...pageErrors,
  },
};

const endSession = {
  operationId: 'endSession',
  tags,
  summary: 'Sign out in the browser',
  description:
    'A page that the browser of a person opens, not a call of a client. With an `id_token_hint` the person is signed out without a question, ' +
    'and returns to `post_logout_redirect_uri`, one of the redirect URIs of the client.',
  'x-motorpool-origin': 'motorpool',
  security: [],
  parameters: [
    inQuery('id_token_hint', text(maxHeaderBytes, 'The ID token of the sign-in.')),
    inQuery('client_id', clientId),
    inQuery('post_logout_redirect_uri', { ...redirectUri, description: 'Where to return to.' }),
    inQuery('state', state),
  ],
  responses: {
    200: {
      description: 'A page that asks whether to sign out.',
      content: { 'text/html': { schema: { type: 'string', maxLength: 100_000 } } },
    },
    303: { description: 'Signed out: to `post_logout_redirect_uri`, or to a page that says so.' },
    400: { description: 'A page that says what is wrong with the request.' },
    ...pageErrors,
  },
};

const signOut = {
  operationId: 'signOut',
  tags,
  summary: 'Sign a person out without a browser',
  description:
    'Ends the session in which the refresh token was issued, and all that was issued in it, for the client that has the token. HTTP Basic works in ' +
    'place of client_id and client_secret; a public client has no secret. A form without a refresh token is redirected to endSession.',
  'x-motorpool-origin': 'motorpool',
  security: [],
  requestBody: formBody('SignOutRequest', {
    client_id: 'fleet-web',
    client_secret: 'its-secret',
    refresh_token: 'eyJhbGciOiJIUzI1NiIs…',
  }),
  responses: {
    204: { description: 'Signed out, now or before.' },
    303: { description: 'To endSession, without a refresh token.' },
    400: oauthError('It is no refresh token of this client, or the request is malformed.'),
    411: oauthError('The form was sent without its length.'),
    413: oauthError('The form is longer than 4,096 bytes.'),
    414: oauthError('The address is longer than 4,096 characters.'),
    415: oauthError('The body is no form.'),
    ...programErrors,
  },
};

export const signInPaths = {
  [`${openIdConnect}/auth`]: { parameters, get: authorizationRequest },
  [`${openIdConnect}/logout`]: { parameters, get: endSession, post: signOut },
};

export const signInSchemas = {
  SignOutRequest: {
    type: 'object',
    required: ['refresh_token'],
    properties: {
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: text(maxHeaderBytes, 'One that was issued to the client.'),
    },
  },
};
