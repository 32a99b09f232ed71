import { createPublicKey } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/db/database.ts';
import type { BearerCheck } from './bearer.ts';
import { requireBearer } from './bearer-user.ts';
import { userinfoPath } from './oidc-configuration.ts';
import { corsHeaders, openCors, sendPreflight } from './realm-cors.ts';
import { realmDatabase } from './realm-database.ts';
import type { RealmOrigins } from './realm-origins.ts';
import { type RealmRequest, serve } from './realm-route.ts';
import { publicPart, type Realm } from './realms.ts';
import { personClaims } from './token-claims.ts';
import { findUser } from './users.ts';

export type RealmDocumentsOptions = {
  db: Database;
  checkBearer: BearerCheck;
  origins: RealmOrigins;
  allowDemoCredentials: boolean;
  publicUrl: () => string;
  requireRealm(request: RealmRequest): Promise<Realm>;
};

/** The JSON below a realm that the OpenID library does not serve. */
export function registerRealmDocuments(
  scope: FastifyInstance,
  options: RealmDocumentsOptions,
): void {
  const { db, checkBearer, origins, allowDemoCredentials, publicUrl, requireRealm } = options;

  /** What Keycloak tells of a realm: clients without a JWKS take the key from here. */
  serve(scope, '', ['GET', 'OPTIONS'], async (request, reply) => {
    if (request.method === 'OPTIONS') return sendPreflight(request, reply, openCors, ['GET']);
    const {
      provider,
      keys: [key],
    } = await requireRealm(request);
    const issuer = `${publicUrl()}/realms/${provider}`;
    return reply.headers(openCors).send({
      realm: provider,
      public_key: key && publicKeyOf(key),
      'token-service': `${issuer}/protocol/openid-connect`,
      'account-service': `${issuer}/account`,
      'tokens-not-before': 0,
    });
  });

  serve(scope, userinfoPath, ['GET', 'POST', 'OPTIONS'], async (request, reply) => {
    const { realm } = request.params;
    const headers = await corsHeaders(origins, realm, request.headers.origin);
    if (request.method === 'OPTIONS')
      return sendPreflight(request, reply, headers, ['GET', 'POST']);
    // Before all that may throw, so that the page can read the error.
    reply.headers(headers);
    await requireRealm(request);
    const { subject } = await requireBearer(request, checkBearer);
    const user = await findUser(realmDatabase(db, realm), realm, subject, allowDemoCredentials);
    return reply
      .header('cache-control', 'no-store')
      .send({ sub: subject, ...(user && personClaims(user)) });
  });
}

function publicKeyOf(key: Parameters<typeof publicPart>[0]): string {
  const { kty, n, e } = publicPart(key);
  return createPublicKey({ key: { kty, n, e }, format: 'jwk' })
    .export({ type: 'spki', format: 'der' })
    .toString('base64');
}
