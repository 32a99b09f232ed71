import {
  type ClientMetadata,
  type Configuration,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';
import type { Database } from '../platform/db/database.ts';
import { isUnavailable } from '../platform/db/unavailable.ts';
import type { Role } from '../platform/http/principal.ts';
import { isSecureAddress } from '../platform/http/secure-address.ts';
import { isStorable } from '../platform/http/storable-text.ts';
import { builtInClients } from './built-in-clients.ts';
import { clientKey } from './clients.ts';
import { tokenLifetimeSeconds } from './keys.ts';
import { oidcAdapter } from './oidc-adapter.ts';
import { errorPage, logoutPage, signedOutPage } from './pages.ts';
import type { Realm } from './realms.ts';
import type { SignInRecorder } from './record-sign-in.ts';
import { hashClientSecret, matchesClientSecret } from './secrets.ts';
import { signInLifetimeSeconds, signInPolicy, startLifetimeSeconds } from './sign-in-policy.ts';
import { cacheTokens, type TokenCache } from './token-cache.ts';
import { accessTokenClaims } from './token-claims.ts';
import type { TokenLimiter } from './token-limiter.ts';
import { clientIdOf, finishTokenResponse } from './token-response.ts';
import { findUser } from './users.ts';

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

function signingKeyOf({ keys }: Realm): string | undefined {
  return keys[0]?.kid;
}

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
    return matchesClientSecret(secretKey, Buffer.from(this.clientSecret ?? '', 'hex'), secret);
  };
  cacheTokens(server, signingKeyOf(realm), options.tokenCache);
  server.on('server_error', (ctx, error) => {
    options.onError(error);
    if (!isUnavailable(error)) return;
    ctx.status = 503;
    ctx.set('Retry-After', '2');
    ctx.body = {
      error: 'temporarily_unavailable',
      error_description: 'the database does not answer',
    };
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
    if (ctx.path !== tokenPath || ctx.method !== 'POST') return;
    finishTokenResponse(ctx as KoaContextWithOIDC, realm.provider, options);
    if (ctx.status === 401 || ctx.status === 429)
      await options.recordSignIn({
        provider: realm.provider,
        action: ctx.status === 401 ? 'sign-in-failed' : 'sign-in-refused',
        type: 'client',
        clientId: clientIdOf(ctx as KoaContextWithOIDC),
        ...originOf(ctx, options),
      });
  });
  return server;
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
  secretKey: Buffer,
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
      properties: ['realm_is_current', 'role', 'networks', 'revocation', 'seconds_left'],
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

async function findClient(
  { db, publicUrl, allowDemoCredentials }: AuthorizationServerOptions,
  realm: Realm,
  id: string,
  secretKey: Buffer,
): Promise<ClientMetadata | undefined> {
  const builtIn = builtInClients(publicUrl, realm.provider).find(
    ({ client_id }) => client_id === id,
  );
  if (builtIn) return builtIn;
  if (!isStorable(id)) return undefined;
  const [row] = await db.query<{
    name: string;
    secret_hash: Buffer | null;
    redirect_uris: string[];
    post_logout_redirect_uris: string[];
    role: Role;
    networks: string[];
    revocation: number;
    seconds_left: number;
    realm_is_current: boolean;
  }>(
    `select name, secret_hash, redirect_uris, post_logout_redirect_uris, role, networks,
            coalesce((select r.version from token_revocations r
                      where r.provider = $1 and r.subject = clients.id), 0) as revocation,
            ceil(extract(epoch from least(expires_at - now(), interval '1 day')))::int as seconds_left,
            exists (select from providers p join realm_keys k on k.provider = p.id
                    where p.id = $1 and p.disabled_at is null and k.kid = $4 and k.retired_at is null) as realm_is_current
     from clients where provider = $1 and id = $2 and disabled_at is null and (not demo or $3)
       and (expires_at is null or expires_at > now())`,
    [realm.provider, id, allowDemoCredentials, signingKeyOf(realm)],
  );
  if (!row) {
    // The same work as for a wrong secret, so that the time does not reveal which clients exist.
    hashClientSecret(secretKey, id);
    return undefined;
  }
  // Clients of earlier versions may have others.
  const redirectUris = row.redirect_uris.filter(isSecureAddress);
  const interactive = redirectUris.length > 0;
  return {
    client_id: id,
    client_name: row.name,
    ...(row.secret_hash
      ? {
          client_secret: row.secret_hash.toString('hex'),
          token_endpoint_auth_method: 'client_secret_basic',
        }
      : { token_endpoint_auth_method: 'none' }),
    grant_types: [
      ...(row.secret_hash ? ['client_credentials'] : []),
      ...(interactive ? ['authorization_code', 'refresh_token'] : []),
    ],
    response_types: interactive ? ['code'] : [],
    redirect_uris: redirectUris,
    post_logout_redirect_uris: row.post_logout_redirect_uris.filter(isSecureAddress),
    id_token_signed_response_alg: 'RS256',
    realm_is_current: row.realm_is_current,
    role: row.role,
    networks: row.networks,
    revocation: row.revocation,
    seconds_left: row.seconds_left,
  };
}
