import { createSecretKey } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { isUnavailable } from '../platform/db/unavailable.ts';
import { clientKey } from './clients.ts';
import { answerStructuredToken, type IntrospectionOptions } from './introspection.ts';
import {
  endpoints,
  type OidcOptions,
  oidcConfiguration,
  programEndpoints,
} from './oidc-configuration.ts';
import { corsHeaders, credentialsAt, replaceCors } from './realm-cors.ts';
import type { RealmOrigins } from './realm-origins.ts';
import { type Realm, signingKeyOf } from './realms.ts';
import type { SignInRecorder } from './record-sign-in.ts';
import { signOutByRefreshToken } from './refresh-token-sign-out.ts';
import { type RefreshTokenReader, signRefreshTokens } from './refresh-tokens.ts';
import { revokeGrants } from './revoked-tokens.ts';
import { matchesClientSecret, serverSecret, signInSecrets } from './secrets.ts';
import { nameSessions } from './session-state.ts';
import { recordOrigin, revokeSession } from './sessions.ts';
import { signOutByHint } from './sign-out.ts';
import { cacheTokens } from './token-cache.ts';
import type { TokenLimiter } from './token-limiter.ts';
import { clientIdOf, finishTokenResponse, refusesNetwork } from './token-response.ts';
import { isUnchanged } from './users.ts';

export type AuthorizationServerOptions = OidcOptions &
  IntrospectionOptions & {
    origins: RealmOrigins;
    tokenLimiter: TokenLimiter;
    recordSignIn: SignInRecorder;
    addressOf(request: object): string;
    /** Whether it is to sign out by a refresh token. */
    isSignOut(request: object): boolean;
    /** Logs a token request that failed. */
    logAttempt(request: object, attempt: object): void;
    onError(error: Error): void;
  };

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
  const server = new Provider(issuer, oidcConfiguration(realm, issuer, options, secretKey));
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
  const refreshTokenKey = createSecretKey(await serverSecret(db, signInSecrets.refreshTokens));
  const readRefreshToken = signRefreshTokens(server, refreshTokenKey);
  typeIdTokens(server);
  renewInPlace(server);
  nameSessions(server, realm.provider);
  cacheTokens(server, signingKeyOf(realm), options.tokenCache);
  server.on('server_error', (ctx, error) => {
    options.onError(error);
    if (isUnavailable(error)) sendUnavailable(ctx);
  });
  // Otherwise the framework writes them to the standard error, but for those of the client.
  (server as EventEmitter).on('error', (error: Error & { expose?: boolean }) => {
    if (!error.expose) options.onError(error);
  });
  server.on('end_session.success', (ctx) => {
    const { route, params } = ctx.oidc;
    // Also without an answer to whether to sign out, which ends no session.
    if (route === 'end_session_confirm' && params?.logout === undefined) return;
    ctx.state.signedOutUser = ctx.oidc.session?.accountId;
  });
  server.on('grant.revoked', (ctx, grantId) => {
    ctx.state.revokedGrants ??= [];
    ctx.state.revokedGrants.push(grantId);
  });
  server.use(async (context, next) => {
    const ctx = context as KoaContextWithOIDC;
    if (options.isSignOut(ctx.req)) ctx.path = endpoints.revocation;
    if (ctx.path === endpoints.introspection) preferForm(ctx);
    await next();
    if (ctx.state.revokedGrants) await revokeGrants(db, realm.provider, ctx.state.revokedGrants);
    await checkSignIn(ctx, realm, options);
    if (programEndpoints.includes(ctx.path))
      await finishProgramRequest(ctx, realm, options, readRefreshToken);
    await signOutByHint(ctx, db, realm.provider);
    if (ctx.state.signedOutUser) await recordSignOut(ctx, realm, options);
    const headers = await corsHeaders(options.origins, realm.provider, ctx.req.headers.origin);
    replaceCors(ctx, credentialsAt(ctx.path, headers));
  });
  return server;
}

/** Records from where a session was begun, and ends it if what it was begun with has ended meanwhile. */
async function checkSignIn(
  ctx: KoaContextWithOIDC,
  { provider }: Realm,
  { db, addressOf }: AuthorizationServerOptions,
): Promise<void> {
  const { session, result } = ctx.oidc ?? {};
  if (!session || !result?.login) return;
  const origin = { address: addressOf(ctx.req), userAgent: ctx.get('user-agent') };
  await recordOrigin(db, provider, session.uid, origin);
  // What ends the sessions of a user did not see this one if it came between the check of the password and now.
  const { accountId, version } = result.login as { accountId: string; version?: number };
  if (version !== undefined && !(await isUnchanged(db, provider, accountId, version)))
    await db.transaction((tx) => revokeSession(tx, provider, session.uid));
}

async function finishProgramRequest(
  ctx: KoaContextWithOIDC,
  { provider }: Realm,
  options: AuthorizationServerOptions,
  readRefreshToken: RefreshTokenReader,
): Promise<void> {
  if (ctx.method !== 'POST') return;
  if (!refusesNetwork(ctx, options)) {
    if (options.isSignOut(ctx.req))
      ctx.state.signedOutUser = await signOutByRefreshToken(
        ctx,
        provider,
        options.db,
        readRefreshToken,
      );
    else if (ctx.path !== endpoints.token) await answerStructuredToken(ctx, provider, options);
    finishTokenResponse(ctx, provider, options);
  }
  if (ctx.status === 401 || ctx.status === 429)
    await options
      .recordSignIn({
        provider,
        action: ctx.status === 401 ? 'sign-in-failed' : 'sign-in-refused',
        type: 'client',
        clientId: clientIdOf(ctx),
        ...originOf(ctx, options),
      })
      .catch((error) => {
        if (!isUnavailable(error)) throw error;
        options.onError(error);
        sendUnavailable(ctx);
      });
}

/** The session has ended already, so that a failure to record it fails no answer. */
async function recordSignOut(
  ctx: KoaContextWithOIDC,
  { provider }: Realm,
  options: AuthorizationServerOptions,
): Promise<void> {
  const user: string = ctx.state.signedOutUser;
  await options
    .recordSignIn({ provider, action: 'signed-out', type: 'user', user, ...originOf(ctx, options) })
    .catch(options.onError);
}

/** keycloak-connect sends its secret twice when it asks about a token, which the library refuses: the one of the form counts. */
function preferForm(ctx: KoaContextWithOIDC): void {
  const { headers } = ctx.req;
  const { authorization } = headers;
  if (authorization === undefined) return;
  Object.defineProperty(headers, 'authorization', {
    get: () => (ctx.oidc?.body?.client_secret === undefined ? authorization : undefined),
  });
}

/** Keycloak's clients tell ID tokens by their type. */
function typeIdTokens({ IdToken }: Provider): void {
  const { prototype } = IdToken;
  const payloadOf = prototype.payload;
  prototype.payload = async function payload() {
    return { ...(await payloadOf.call(this)), typ: 'ID', azp: this.client?.clientId };
  };
}

/** A session gets another id by the statement that stores it: to delete the old one first would forget that it was ended. */
function renewInPlace({ Session }: Provider): void {
  const { prototype } = Session as unknown as { prototype: RenewedSession };
  const { save } = prototype;
  prototype.save = function saveInPlace(this: RenewedSession, ttl: number) {
    this.oldId = undefined;
    return save.call(this, ttl);
  };
}

type RenewedSession = { oldId: string | undefined; save(ttl: number): Promise<string> };

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
