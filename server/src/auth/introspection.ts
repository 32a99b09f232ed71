import { decodeJwt, type JWTPayload } from 'jose';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Database } from '../platform/db/database.ts';
import type { BearerCheck } from './bearer.ts';
import { isRevokedNow } from './revocations.ts';
import { revokeToken } from './revoked-tokens.ts';
import { endGrants } from './sessions.ts';
import type { TokenCache } from './token-cache.ts';
import { grantClaim } from './token-claims.ts';
import { findUser } from './users.ts';

export type IntrospectionOptions = {
  db: Database;
  checkBearer: BearerCheck;
  tokenCache: TokenCache;
  allowDemoCredentials: boolean;
};

type RefreshToken = InstanceType<Provider['RefreshToken']>;

const inactive = { active: false };
const bearerType = 'Bearer';

/**
 * Answers introspection (RFC 7662) and revocation (RFC 7009) of JWTs, after the library has authenticated the client: it keeps no
 * record of them, and refuses them for that reason.
 */
export async function answerStructuredToken(
  ctx: KoaContextWithOIDC,
  provider: string,
  options: IntrospectionOptions,
): Promise<void> {
  const { error } = (ctx.body ?? {}) as { error?: string };
  const { route, client, params } = ctx.oidc;
  if (route === 'introspection' && client?.clientAuthMethod === 'none') {
    ctx.status = 401;
    ctx.body = {
      error: 'invalid_client',
      error_description: 'only a client with a secret may ask',
    };
    return;
  }
  if (error !== 'unsupported_token_type' || !client) return;
  const token = String(params?.token);
  if (route === 'introspection') {
    ctx.status = 200;
    ctx.body = await introspect(ctx, token, provider, options);
  } else if (await revoke(ctx, token, provider, options)) {
    ctx.status = 200;
    ctx.body = '';
  } else {
    ctx.status = 503;
    ctx.set('Retry-After', '60');
    ctx.body = {
      error: 'temporarily_unavailable',
      error_description: 'too many tokens of this realm were revoked lately',
    };
  }
}

async function introspect(
  ctx: KoaContextWithOIDC,
  token: string,
  provider: string,
  options: IntrospectionOptions,
): Promise<object> {
  const refreshToken = await findRefreshToken(ctx, token);
  if (refreshToken) return introspectRefreshToken(ctx, token, refreshToken, provider, options);
  const payload = await verify(token, provider, options);
  if (!payload) return inactive;
  const { sub = '', client_id } = payload;
  const client = await ctx.oidc.provider.Client.find(String(client_id));
  if (!client) return inactive;
  const username = sub === client_id ? undefined : await usernameOf(sub, provider, options);
  if (sub !== client_id && username === undefined) return inactive;
  return { ...payload, active: true, token_type: bearerType, username };
}

/** Only for the client that it was issued to. */
async function introspectRefreshToken(
  { oidc }: KoaContextWithOIDC,
  token: string,
  { clientId, accountId = '', grantId = '', isValid }: RefreshToken,
  provider: string,
  options: IntrospectionOptions,
): Promise<object> {
  if (!isValid || clientId !== oidc.client?.clientId) return inactive;
  const username = await usernameOf(accountId, provider, options);
  if (username === undefined || !(await oidc.provider.Grant.find(grantId))) return inactive;
  const payload = decodeJwt(token);
  return { ...payload, active: true, client_id: clientId, token_type: payload.typ, username };
}

/** A token of this client, and all that was issued with it. What is none needs no revocation. */
async function revoke(
  ctx: KoaContextWithOIDC,
  token: string,
  provider: string,
  options: IntrospectionOptions,
): Promise<boolean> {
  const { db, tokenCache } = options;
  const { clientId } = ctx.oidc.client ?? {};
  const endGrant = (id: string) => db.transaction((tx) => endGrants(tx, provider, [id]));
  const refreshToken = await findRefreshToken(ctx, token);
  if (refreshToken) {
    if (refreshToken.clientId === clientId && refreshToken.grantId)
      await endGrant(refreshToken.grantId);
    return true;
  }
  const payload = await verify(token, provider, options);
  if (payload?.client_id !== clientId) return true;
  const grantId = payload?.[grantClaim];
  if (typeof grantId !== 'string') {
    tokenCache.forget(token);
    return revokeToken(db, provider, String(payload?.jti));
  }
  await endGrant(grantId);
  return true;
}

async function findRefreshToken({ oidc }: KoaContextWithOIDC, token: string) {
  return oidc.provider.RefreshToken.find(token);
}

/** The claims of an access token of the realm that is accepted now, whatever is cached: of this token alone, as anybody may ask. */
async function verify(
  token: string,
  provider: string,
  { db, checkBearer }: IntrospectionOptions,
): Promise<JWTPayload | undefined> {
  const principal = await checkBearer(token);
  if (principal?.provider !== provider || (await isRevokedNow(db, principal))) return undefined;
  return decodeJwt(token);
}

async function usernameOf(
  userId: string,
  provider: string,
  { db, allowDemoCredentials }: IntrospectionOptions,
): Promise<string | undefined> {
  return (await findUser(db, provider, userId, allowDemoCredentials))?.username;
}
