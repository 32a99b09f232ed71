import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Database } from '../platform/db/database.ts';
import { signOut } from './sessions.ts';

type IdTokenHint = { payload: { sub?: string; sid?: string } };

/**
 * Signs out without a question whom a verified ID token names, unless the browser has another session by now. Without a cookie
 * as well: the token names its session.
 */
export async function signOutByHint(
  ctx: KoaContextWithOIDC,
  db: Database,
  provider: string,
): Promise<void> {
  const { route, session, params, entities } = ctx.oidc;
  if (route !== 'end_session' || ctx.status !== 200) return;
  const { sub, sid } = (entities.IdTokenHint as IdTokenHint | undefined)?.payload ?? {};
  if (sid === undefined || !session) return;
  const isOther = session.accountId !== undefined && session.uid !== sid;
  if (isOther || (session.accountId ?? sub) !== sub) return;
  const hasEnded = await db.transaction((tx) => signOut(tx, provider, sid));
  session.accountId ??= sub;
  ctx.oidc.provider.emit('end_session.success', ctx);
  // Whoever has an old token could otherwise fill the audit trail.
  if (!hasEnded) ctx.state.signedOutUser = undefined;
  ctx.cookies.set(ctx.oidc.provider.cookieName('session'), null, sessionCookiePath(provider));
  ctx.status = 303;
  ctx.redirect(destination(ctx, params ?? {}));
}

export function sessionCookiePath(provider: string): { path: string } {
  return { path: `/realms/${provider}` };
}

/** The library has checked that the client registered the address. */
function destination(
  { oidc }: KoaContextWithOIDC,
  { post_logout_redirect_uri, state }: Record<string, unknown>,
): string {
  if (typeof post_logout_redirect_uri !== 'string') return oidc.urlFor('end_session_success');
  const url = new URL(post_logout_redirect_uri);
  if (typeof state === 'string') url.searchParams.set('state', state);
  return url.href;
}
