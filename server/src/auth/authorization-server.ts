import type { KeyObject } from 'node:crypto';
import { type Configuration, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Database } from '../platform/db/database.ts';
import { isUnavailable } from '../platform/db/unavailable.ts';
import { findClient } from './client-metadata.ts';
import { clientKey } from './clients.ts';
import { tokenLifetimeSeconds } from './keys.ts';
import { oidcAdapter } from './oidc-adapter.ts';
import { errorPage, logoutPage, signedOutPage } from './pages.ts';
import { type Realm, signingKeyOf } from './realms.ts';
import type { SignInRecorder } from './record-sign-in.ts';
import { matchesClientSecret } from './secrets.ts';
import { recordOrigin, revokeSession } from './sessions.ts';
import { signInLifetimeSeconds, signInPolicy, startLifetimeSeconds } from './sign-in-policy.ts';
import { cacheTokens, type TokenCache } from './token-cache.ts';
import { accessTokenClaims } from './token-claims.ts';
import type { TokenLimiter } from './token-limiter.ts';
import { clientIdOf, finishTokenResponse } from './token-response.ts';
import { findUser, isUnchanged } from './users.ts';

export type AuthorizationServerOptions = {
  db: Database;
  publicUrl: string;
  cookieKey: string;
  /** Whether the published demo credentials are accepted. */
  allowDemoCredentials: boolean;
  tokenLimiter: TokenLimiter;
  tokenCache: TokenCache;
  recordSignIn: SignInRecorder;
  addressOf(request: object): string;
  /** Logs a token request that failed. */
  logAttempt(request: object, attempt: object): void;
  onError(error: Error): void;
};

const openidConnect = '/protocol/openid-connect';
const tokenPath = `${openidConnect}/token`;
export const userinfoPath = `${openidConnect}/userinfo`;

function issuerOf(publicUrl: string, provider: string): string {
  return `${publicUrl}/realms/${provider}`;
}

/** The OpenID provider of one realm, on Keycloak's paths. */
export async function createAuthorizationServer(
  realm: Realm,
  options: AuthorizationServerOptions,
): Promise<Provider> {
  const { db, publicUrl } = options;
  const issuer = issuerOf(publicUrl, realm.provider);
  const secretKey = await clientKey(db);
  const server = new Provider(issuer, configuration(realm, issuer, options, secretKey));
  // routes.ts sets the forwarded headers, by which the library marks cookies as secure.
  server.proxy = true;
  server.Client.prototype.compareClientSecret = function compareClientSecret(secret: string) {
    const previous = this.previous_secret as string | undefined;
    const hashes = [this.clientSecret ?? '', ...(previous === undefined ? [] : [previous])];
    return matchesClientSecret(
      secretKey,
      hashes.map((hash) => Buffer.from(hash, 'hex')),
      secret,
    );
  };
  cacheTokens(server, signingKeyOf(realm), options.tokenCache);
  server.on('server_error', (ctx, error) => {
    options.onError(error);
    if (isUnavailable(error)) sendUnavailable(ctx);
  });
  server.on('end_session.success', (ctx) => {
    const { session } = ctx.oidc;
    if (!session?.accountId) return;
    options
      .recordSignIn({
        provider: realm.provider,
        action: 'signed-out',
        type: 'user',
        user: session.accountId,
        ...originOf(ctx, options),
      })
      .catch(options.onError);
  });
  server.use(async (ctx, next) => {
    await next();
    const { session, result } = (ctx as KoaContextWithOIDC).oidc ?? {};
    if (session && result?.login) {
      const origin = { address: options.addressOf(ctx.req), userAgent: ctx.get('user-agent') };
      await recordOrigin(db, realm.provider, session.uid, origin);
      // What ends the sessions of a user did not see this one if it came between the check of the password and now.
      const { accountId, version } = result.login as { accountId: string; version?: number };
      if (version !== undefined && !(await isUnchanged(db, realm.provider, accountId, version)))
        await db.transaction((tx) => revokeSession(tx, realm.provider, session.uid));
    }
    if (ctx.path !== tokenPath || ctx.method !== 'POST') return;
    finishTokenResponse(ctx as KoaContextWithOIDC, realm.provider, options);
    if (ctx.status === 401 || ctx.status === 429)
      await options
        .recordSignIn({
          provider: realm.provider,
          action: ctx.status === 401 ? 'sign-in-failed' : 'sign-in-refused',
          type: 'client',
          clientId: clientIdOf(ctx as KoaContextWithOIDC),
          ...originOf(ctx, options),
        })
        .catch((error) => {
          if (!isUnavailable(error)) throw error;
          options.onError(error);
          sendUnavailable(ctx);
        });
  });
  return server;
}

function sendUnavailable(ctx: Pick<KoaContextWithOIDC, 'status' | 'set' | 'body'>): void {
  ctx.status = 503;
  ctx.set('Retry-After', '2');
  ctx.body = {
    error: 'temporarily_unavailable',
    error_description: 'the database does not answer',
  };
}

function originOf(
  { req, res }: Pick<KoaContextWithOIDC, 'req' | 'res'>,
  { addressOf }: AuthorizationServerOptions,
): { address: string; requestId: string } {
  return { address: addressOf(req), requestId: String(res.getHeader('x-request-id')) };
}

function configuration(
  realm: Realm,
  issuer: string,
  options: AuthorizationServerOptions,
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
        'revocation',
        'seconds_left',
        'previous_secret',
      ],
    },
    jwks: { keys: realm.keys },
    routes: {
      authorization: `${openidConnect}/auth`,
      token: tokenPath,
      jwks: `${openidConnect}/certs`,
      end_session: `${openidConnect}/logout`,
    },
    scopes: ['openid', 'profile'],
    claims: { openid: ['sub'], profile: ['preferred_username'] },
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
        getResourceServerInfo: async () => ({
          scope: 'openid profile',
          audience: issuer,
          accessTokenTTL: tokenLifetimeSeconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    discovery: {
      userinfo_endpoint: issuer + userinfoPath,
    },
    formats: {
      customizers: {
        // Keycloak's claims, for clients that inspect the token.
        jwt: async (ctx, token, jwt) => {
          const scope = jwt.payload.scope ?? 'openid';
          Object.assign(jwt.payload, {
            scope,
            typ: 'Bearer',
            azp: token.clientId,
            ...accessTokenClaims(ctx),
          });
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
      RefreshToken: signInLifetimeSeconds,
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
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
    findAccount: async (_ctx, sub) => {
      const user = await findUser(db, provider, sub, options.allowDemoCredentials);
      return (
        user && {
          ...user,
          accountId: sub,
          claims: async () => ({ sub, preferred_username: user.username }),
        }
      );
    },
    loadExistingGrant: (ctx) => grantWithoutConsent(ctx, issuer),
    // Pages of our own origin and of the client's redirect URIs may request tokens.
    clientBasedCORS: (_ctx, origin, client) =>
      [options.publicUrl, ...(client.redirectUris ?? [])].some(
        (address) => URL.parse(address)?.origin === origin,
      ),
    renderError: async (ctx, { error, error_description }) => {
      if (ctx.path === tokenPath) {
        // JSON whatever the Accept header says: only programs send token requests.
        ctx.body = { error, error_description };
        return;
      }
      ctx.type = 'html';
      ctx.body = errorPage(error, error_description);
    },
  };
}

/** No token lives longer than its client. */
function lifetimeOf(_ctx: KoaContextWithOIDC, _token: object, client: object): number {
  return Math.min(tokenLifetimeSeconds, (client as { seconds_left: number }).seconds_left);
}

/** Clients are created by the operator, so that users need not consent. */
async function grantWithoutConsent(ctx: KoaContextWithOIDC, resource: string) {
  const { client, session, provider } = ctx.oidc;
  if (!client || !session?.accountId) return undefined;
  const known = session.grantIdFor(client.clientId);
  const grant =
    (known && (await provider.Grant.find(known))) ||
    new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope('openid profile');
  grant.addResourceScope(resource, 'openid profile');
  await grant.save();
  return grant;
}
