import type { FastifyInstance, FastifyReply } from 'fastify';
import { offlineScope } from './offline-access.ts';
import { discoveryPath, endpoints, statusPagePath, userinfoPath } from './oidc-configuration.ts';
import { pagePolicy } from './pages.ts';
import { openCors, sendPreflight } from './realm-cors.ts';
import { type RealmRequest, serve } from './realm-route.ts';
import { publicPart, type Realm } from './realms.ts';
import { personClaimNames } from './token-claims.ts';

export type OpenDocumentsOptions = {
  publicUrl: () => string;
  requireRealm(request: RealmRequest): Promise<Realm>;
};

/** As of all that the OpenID library answers. */
const headers = { ...openCors, vary: 'Origin', 'content-security-policy': pagePolicy };
const jsonType = 'application/json; charset=utf-8';
const keysType = 'application/jwk-set+json; charset=utf-8';

/**
 * Discovery and the keys of a realm, as the OpenID library answers them, but without an authorization server: strangers can ask for those
 * of all realms. docs/decisions/0005-realms.md
 */
export function registerOpenDocuments(
  scope: FastifyInstance,
  { publicUrl, requireRealm }: OpenDocumentsOptions,
): void {
  serveDocument(discoveryPath, jsonType, ({ provider }) =>
    discoveryDocument(`${publicUrl()}/realms/${provider}`),
  );
  serveDocument(endpoints.jwks, keysType, ({ keys }) => ({ keys: keys.map(publicPart) }));

  function serveDocument(path: string, type: string, documentOf: (realm: Realm) => object): void {
    serve(scope, path, ['GET', 'OPTIONS'], async (request, reply): Promise<FastifyReply> => {
      if (request.method === 'OPTIONS') return sendPreflight(request, reply, openCors, ['GET']);
      const document = documentOf(await requireRealm(request));
      return reply.headers(headers).type(type).send(document);
    });
  }
}

/** What the OpenID library makes of its settings (oidc-configuration.ts), in its order: a test compares the two. */
function discoveryDocument(issuer: string) {
  return {
    authorization_endpoint: issuer + endpoints.authorization,
    claims_parameter_supported: false,
    claims_supported: ['sub', 'auth_time', ...personClaimNames, 'sid', 'iss'],
    code_challenge_methods_supported: ['S256'],
    end_session_endpoint: issuer + endpoints.end_session,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    issuer,
    jwks_uri: issuer + endpoints.jwks,
    authorization_response_iss_parameter_supported: true,
    response_modes_supported: ['form_post', 'fragment', 'query'],
    response_types_supported: ['code'],
    scopes_supported: ['openid', 'profile', 'email', offlineScope],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    token_endpoint: issuer + endpoints.token,
    id_token_signing_alg_values_supported: ['RS256'],
    request_uri_parameter_supported: false,
    introspection_endpoint: issuer + endpoints.introspection,
    revocation_endpoint: issuer + endpoints.revocation,
    claim_types_supported: ['normal'],
    userinfo_endpoint: issuer + userinfoPath,
    check_session_iframe: issuer + statusPagePath,
  };
}
