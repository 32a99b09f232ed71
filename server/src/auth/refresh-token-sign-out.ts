import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../platform/db/database.ts';
import { handOn } from './given-request.ts';
import type { RefreshTokenReader } from './refresh-tokens.ts';
import { endGrants, signOut } from './sessions.ts';
import { isAuthenticated } from './token-response.ts';

/** Has the library authenticate the client as for a revocation: it knows no sign-out without a browser. */
export function asRevocation(raw: IncomingMessage, form: URLSearchParams): void {
  const others = [...form].filter(([name]) => name !== 'token');
  const renamed = new URLSearchParams();
  for (const [name, value] of others)
    renamed.append(name === 'refresh_token' ? 'token' : name, value);
  handOn(raw, Buffer.from(renamed.toString()));
}

/**
 * Ends the session of a refresh token, and the grant, as Keycloak does for the client that it was issued to. The id of the
 * user whose session that was, if there still was one.
 */
export async function signOutByRefreshToken(
  ctx: KoaContextWithOIDC,
  provider: string,
  db: Database,
  readRefreshToken: RefreshTokenReader,
): Promise<string | undefined> {
  const { client, params, entities } = ctx.oidc;
  if (!client || !isAuthenticated(ctx)) return undefined;
  const token = String(params?.token);
  const record = entities.RefreshToken ?? (await ctx.oidc.provider.RefreshToken.find(token));
  const { clientId, sid, accountId } = record ?? (await readRefreshToken(token)) ?? {};
  if (clientId !== client.clientId) {
    ctx.status = 400;
    ctx.body = { error: 'invalid_grant', error_description: 'Invalid refresh token' };
    return undefined;
  }
  const hasEnded = await db.transaction(async (tx) => {
    if (record?.grantId) await endGrants(tx, provider, [record.grantId]);
    return sid !== undefined && (await signOut(tx, provider, sid));
  });
  ctx.status = 204;
  return hasEnded ? accountId : undefined;
}
