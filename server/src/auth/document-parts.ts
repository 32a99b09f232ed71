/** Parts of the OpenAPI document that the endpoints of a realm share. */

export const text = (maxLength: number, description?: string) => ({
  type: 'string',
  maxLength,
  ...(description && { description }),
});

export const openIdConnect = '/realms/{realm}/protocol/openid-connect';
export const realmParameters = [{ $ref: '#/components/parameters/realm' }];

// Longer ones are of no client.
export const clientId = text(200, 'The id of the client.');
export const clientSecret = { ...text(1_000), format: 'password' };
export const redirectUri = text(
  2_000,
  'Where the browser returns to: one that the client registered.',
);

export function inQuery(name: string, schema: object, required = false) {
  const { description, ...rest } = schema as { description?: string };
  return { name, in: 'query', ...(required && { required }), description, schema: rest };
}

export function oauthError(description: string) {
  return {
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/OAuthError' } } },
  };
}

const noRealm = 'There is no such realm.';
const cannotAnswer = 'The service cannot answer right now; Retry-After says when to try again.';

/** Of requests by which a client authenticates itself. */
export const programErrors = {
  401: oauthError('The client is unknown or the secret is wrong.'),
  404: oauthError(noRealm),
  429: oauthError(
    'Too many failed attempts, or refresh tokens of one user; Retry-After says how long to wait.',
  ),
  503: oauthError(cannotAnswer),
};

/** Of documents that the OpenID library serves. */
export const libraryErrors = { 404: oauthError(noRealm), 503: oauthError(cannotAnswer) };

/** Of pages in a browser. */
export const pageErrors = {
  404: { description: noRealm },
  429: { description: 'Too many begun sign-ins; Retry-After says how long to wait.' },
};

export function formBody(name: string, example: object) {
  return {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: { $ref: `#/components/schemas/${name}` },
        example,
      },
    },
  };
}

export function jsonAnswer(
  description: string,
  name: string,
  example: object,
  mediaType = 'application/json',
) {
  const schema = { $ref: `#/components/schemas/${name}` };
  return { description, content: { [mediaType]: { schema, example } } };
}
