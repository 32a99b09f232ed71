import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { signInLifetimeSeconds } from './sign-in-policy.ts';
import { sessionCookiePath } from './sign-out.ts';

/** Readable by our own pages, which tell an application whether its session is still that of the browser. */
export const sessionStateCookie = 'session_state';

/** Names the session in tokens and answers, as Keycloak does: by the id that administration shows, the same for all clients. */
export function nameSessions(server: Provider, provider: string): void {
  server.Client.prototype.includeSid = () => true;
  server.Session.prototype.ensureClientContainer = function ensureClientContainer(
    clientId: string,
  ) {
    this.sidFor(clientId, this.uid);
  };
  server.on('authorization.success', (ctx, out) => {
    const { uid } = ctx.oidc.session ?? {};
    if (uid === undefined || !out) return;
    out.session_state = uid;
    setSessionState(ctx, provider, uid);
  });
  server.on('end_session.success', (ctx) => setSessionState(ctx, provider, null));
}

function setSessionState(ctx: KoaContextWithOIDC, provider: string, uid: string | null): void {
  ctx.cookies.set(sessionStateCookie, uid, {
    ...sessionCookiePath(provider),
    httpOnly: false,
    sameSite: 'lax',
    signed: false,
    ...(uid !== null && { maxAge: signInLifetimeSeconds * 1_000 }),
  });
}
