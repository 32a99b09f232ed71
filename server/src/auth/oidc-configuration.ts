import { type KeyObject, randomUUID } from 'node:crypto';
import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../platform/db/database.ts';
import { findClient } from './client-metadata.ts';
import { tokenLifetimeSeconds } from './keys.ts';
import { offlineScope } from './offline-access.ts';
import { oidcAdapter, refreshGraceSeconds } from './oidc-adapter.ts';
import { errorPage, logoutPage, signedOutPage } from './pages.ts';
import { originsOf } from './realm-origins.ts';
import type { Realm } from './realms.ts';
import { claimGrant, recordGrant } from './sessions.ts';
import {
  offlineIdleSeconds,
  offlineMaxSeconds,
  signInLifetimeSeconds,
  signInPolicy,
  startLifetimeSeconds,
} from './sign-in-policy.ts';
import { accessTokenClaims, personClaimNames, personClaims } from './token-claims.ts';
import type { RefreshLimiter } from './token-limiter.ts';
import { findUser } from './users.ts';

const openidConnect = '/protocol/openid-connect';
/** On Keycloak's paths. */
export const endpoints = {
  authorization: `${openidConnect}/auth`,
  token: `${openidConnect}/token`,
  introspection: `${openidConnect}/token/introspect`,
  revocation: `${openidConnect}/revoke`,
  jwks: `${openidConnect}/certs`,
  end_session: `${openidConnect}/logout`,
};
export const userinfoPath = `${openidConnect}/userinfo`;
export const statusPagePath = `${openidConnect}/login-status-iframe.html`;
export const discoveryPath = '/.well-known/openid-configuration';

export type OidcOptions = {
  db: Database;
  publicUrl: string;
  cookieKey: string;
  refreshLimiter: RefreshLimiter;
  /** Whether the published demo credentials are accepted. */
  allowDemoCredentials: boolean;
};

const personScopes = 'openid profile email';

/** The settings of the OpenID library for one realm. */
export function oidcConfiguration(
  realm: Realm,
  issuer: string,
  options: OidcOptions,
  secretKey: KeyObject,
): Configuration {
  const { db } = options;
  const { provider } = realm;
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  return {
    adapter: (kind: string) =>
      kind === 'Client'
        ? {
            ...oidcAdapter(db, provider, kind),
            find: (id) => findClient(options, realm, id, secretKey),
          }
        : oidcAdapter(db, provider, kind),
    // `realm_is_current`: whether the realm of this server still was when the client was read.
    extraClientMetadata: {
      properties: [
        'realm_is_current',
        'role',
        'networks',
        'audiences',
        'revocation',
        'seconds_left',
        'previous_secret',
      ],
    },
    jwks: { keys: realm.keys },
    routes: endpoints,
    scopes: ['openid', 'profile', 'email', offlineScope],
    claims: {
      openid: ['sub', 'auth_time', ...personClaimNames],
      profile: ['preferred_username', 'name'],
      email: ['email', 'email_verified'],
    },
    responseTypes: ['code'],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256'], clientAuthSigningAlgValues: [] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      // Served by routes.ts: the library rejects tokens with the audience of the fleet interface.
      userinfo: { enabled: false },
      introspection: { enabled: true, allowedPolicy: isOwnToken },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: async (ctx, form) => {
          ctx.body = logoutPage(form);
        },
        postLogoutSuccessSource: async (ctx) => {
          ctx.body = signedOutPage();
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: async () => issuer,
        useGrantedResource: async () => true,
        getResourceServerInfo: async ({ oidc }) => ({
          scope:
            oidc.params?.grant_type === 'client_credentials'
              ? personScopes
              : `${personScopes} ${offlineScope}`,
          audience: issuer,
          accessTokenTTL: tokenLifetimeSeconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    // With which a test compares what is served: open-documents.ts.
    discovery: {
      userinfo_endpoint: issuer + userinfoPath,
      check_session_iframe: issuer + statusPagePath,
    },
    formats: {
      customizers: {
        // Keycloak's claims, for clients that inspect the token.
        jwt: async (ctx, token, jwt) => {
          const scope = jwt.payload.scope ?? 'openid';
          Object.assign(jwt.payload, { scope, ...accessTokenClaims(ctx, token, issuer) });
        },
      },
    },
    pkce: { required: () => true },
    ttl: {
      AccessToken: lifetimeOf,
      ClientCredentials: lifetimeOf,
      IdToken: tokenLifetimeSeconds,
      AuthorizationCode: 60,
      Interaction: startLifetimeSeconds,
      // A stranger has one from the first page of a sign-out on.
      Session: (_ctx, session) =>
        session.accountId === undefined ? startLifetimeSeconds : signInLifetimeSeconds,
      Grant: signInLifetimeSeconds,
      RefreshToken: (_ctx, token) =>
        token.scopes.has(offlineScope) ? offlineIdleSeconds : signInLifetimeSeconds,
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    // Asked once the token can be used, and before anything is signed.
    rotateRefreshToken: (ctx) => {
      limitRefreshes(ctx, provider, options.refreshLimiter);
      return isOlderThanGrace(ctx);
    },
    cookies: {
      keys: [options.cookieKey],
      long: { ...cookie, path: `/realms/${provider}` },
      // The library gives each its own path, so that two tabs can sign in concurrently.
      short: cookie,
    },
    interactions: {
      policy: signInPolicy(),
      url: async (_ctx, { uid }) => `/realms/${provider}/login/${uid}`,
    },
    findAccount: async ({ oidc }, sub, token) => {
      const user = await findUser(db, provider, sub, options.allowDemoCredentials);
      // A grant ends with the tokens of its user: one that was read before that is no reason for the tokens of one read after it.
      const grantId = token?.grantId;
      const isEnded = grantId !== undefined && !(await oidc.provider.Grant.find(grantId));
      if (!user || isEnded) return undefined;
      return { ...user, accountId: sub, claims: async () => ({ sub, ...personClaims(user) }) };
    },
    loadExistingGrant: (ctx) => grantWithoutConsent(ctx, db, provider, issuer),
    // Pages of our own origin and of the client's redirect URIs may request tokens.
    clientBasedCORS: (_ctx, origin, client) =>
      [options.publicUrl, ...originsOf(client.redirectUris ?? [])].includes(origin),
    renderError: async (ctx, { error, error_description }) => {
      if (programEndpoints.includes(ctx.path)) {
        // JSON whatever the Accept header says: only programs send these requests.
        ctx.body = { error, error_description };
        return;
      }
      ctx.type = 'html';
      ctx.body = errorPage(error, error_description);
    },
  };
}

/** Whoever guesses the secret of a client can do so at any of them. */
export const programEndpoints = [endpoints.token, endpoints.introspection, endpoints.revocation];

/** No token lives longer than its client. */
function lifetimeOf(_ctx: KoaContextWithOIDC, _token: object, client: object): number {
  return Math.min(tokenLifetimeSeconds, (client as { seconds_left: number }).seconds_left);
}

/**
 * Whoever refreshes without pause stores no record each time. More than the grace, by whole seconds: until then the token before it
 * can still be used, which issues this one anew.
 */
function isOlderThanGrace({ oidc }: KoaContextWithOIDC): boolean {
  const { iat = 0 } = oidc.entities.RefreshToken ?? {};
  return Math.floor(Date.now() / 1_000) - iat > refreshGraceSeconds;
}

/** Counted by the client, too: others of the user, and whoever disables it, are not held up by it. */
function limitRefreshes(ctx: KoaContextWithOIDC, provider: string, limiter: RefreshLimiter): void {
  const { accountId: subject = '', clientId = '' } = ctx.oidc.entities.RefreshToken ?? {};
  const waitSeconds = limiter({ provider, subject, clientId });
  if (waitSeconds === 0) return;
  ctx.set('Retry-After', String(waitSeconds));
  throw new errors.OIDCProviderError(429, 'slow_down');
}

/** Clients are created by the operator, so that users need not consent. */
async function grantWithoutConsent(
  ctx: KoaContextWithOIDC,
  db: Database,
  realm: string,
  resource: string,
) {
  const { client, session } = ctx.oidc;
  const accountId = session?.accountId;
  if (!client || !accountId) return undefined;
  const grant = await grantOf(ctx, db, realm, { uid: session.uid, accountId }, client.clientId);
  const isOffline = ctx.oidc.requestParamScopes.has(offlineScope);
  const scopes = isOffline ? `${personScopes} ${offlineScope}` : personScopes;
  grant.addOIDCScope(scopes);
  grant.addResourceScope(resource, scopes);
  // As long as the last token that it can give.
  const lifetime = isOffline ? offlineMaxSeconds : signInLifetimeSeconds;
  grant.exp = Math.max(grant.exp ?? 0, Math.floor(Date.now() / 1_000) + lifetime);
  const id = await grant.save();
  await recordGrant(db, realm, id, session.uid);
  return grant;
}

/** Codes are good for the one grant alone that the session names for their client. */
async function grantOf(
  { oidc: { session, provider } }: KoaContextWithOIDC,
  db: Database,
  realm: string,
  owner: { uid: string; accountId: string },
  clientId: string,
) {
  const known = session?.grantIdFor(clientId);
  const found = known && (await provider.Grant.find(known));
  if (found) return found;
  const candidate = randomUUID();
  const id = await claimGrant(db, realm, owner, clientId, { known, candidate });
  const claimed = id && id !== candidate ? await provider.Grant.find(id) : undefined;
  if (claimed) return claimed;
  const grant = new provider.Grant({ clientId, accountId: owner.accountId });
  grant.jti = id ?? candidate;
  return grant;
}

async function isOwnToken(
  _ctx: KoaContextWithOIDC,
  client: { clientId: string },
  token: { clientId?: string },
): Promise<boolean> {
  return token.clientId === client.clientId;
}
