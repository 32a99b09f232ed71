import type { KoaContextWithOIDC } from 'oidc-provider';
import type { FailedLoginLimiter } from './failed-login-limiter.ts';
import { signInLifetimeSeconds } from './sign-in-policy.ts';

/** Keycloak's fields on success; on a wrong secret, patience. */
export function finishTokenAnswer(
  ctx: KoaContextWithOIDC,
  provider: string,
  {
    tokenGuesses,
    addressOf,
  }: { tokenGuesses: FailedLoginLimiter; addressOf(request: object): string },
): void {
  if (ctx.status === 200) {
    const body = ctx.body as Record<string, unknown>;
    body.scope ??= 'openid';
    body['not-before-policy'] = 0;
    body.refresh_expires_in = body.refresh_token ? signInLifetimeSeconds : 0;
  } else if (ctx.status === 401) {
    // Decision 0006: right credentials are never held up, so only failures are told to wait.
    const target = [provider, clientIdOf(ctx), addressOf(ctx.req)];
    const waitSeconds = tokenGuesses.waitSeconds(target);
    tokenGuesses.failed(target);
    if (waitSeconds === 0) return;
    ctx.status = 429;
    ctx.set('Retry-After', String(waitSeconds));
    ctx.body = {
      error: 'slow_down',
      error_description: `too many failed attempts for this client from this address; try again in ${waitSeconds} s`,
    };
  }
}

/** As the library read it; what it cannot read, it has answered with 400. */
function clientIdOf(ctx: KoaContextWithOIDC): string {
  const basic = /^basic (.+)$/i.exec(ctx.headers.authorization ?? '')?.[1];
  if (basic === undefined) return String(ctx.oidc.params?.client_id ?? '');
  const [id = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':', 1);
  // One client has many spellings here, and they must not each have a count of their own.
  return decodeURIComponent(id.replaceAll('+', '%20'));
}
