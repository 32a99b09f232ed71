import type { KoaContextWithOIDC } from 'oidc-provider';
import { clientNetwork } from '../platform/http/client-network.ts';
import { isInNetworks, networkList } from '../platform/http/networks.ts';
import type { ClientGrantee } from './token-claims.ts';
import type { TokenLimiter } from './token-limiter.ts';

export type TokenResponseOptions = {
  tokenLimiter: TokenLimiter;
  addressOf(request: object): string;
  logAttempt(request: object, attempt: object): void;
};

/** Whether the client is bound to other networks, and is answered that instead of what was done for it. */
export function refusesNetwork(
  ctx: KoaContextWithOIDC,
  { addressOf }: Pick<TokenResponseOptions, 'addressOf'>,
): boolean {
  if (!isAuthenticated(ctx) || !isForeign(ctx, addressOf)) return false;
  ctx.status = 401;
  ctx.body = {
    error: 'invalid_client',
    error_description: 'the client is bound to networks, and this address is in none of them',
  };
  return true;
}

/** Whether the library takes the client for what it says: it refuses JWTs, of which it has no record, only then. */
export function isAuthenticated({ status, body }: KoaContextWithOIDC): boolean {
  const { error } = (body ?? {}) as { error?: string };
  return status === 200 || error === 'unsupported_token_type';
}

/** Adds Keycloak's fields to an issued token, and limits failed attempts. */
export function finishTokenResponse(
  ctx: KoaContextWithOIDC,
  provider: string,
  { tokenLimiter, addressOf, logAttempt }: TokenResponseOptions,
): void {
  if (ctx.status === 200 && ctx.oidc.route === 'token') {
    const body = ctx.body as Record<string, unknown>;
    const { AccessToken, RefreshToken } = ctx.oidc.entities;
    body.scope ??= 'openid';
    body['not-before-policy'] = 0;
    body.refresh_expires_in = body.refresh_token ? RefreshToken?.remainingTTL : 0;
    body.session_state = AccessToken?.sid;
  } else if (ctx.status === 401) {
    // Only failures are limited, never valid credentials: docs/decisions/0006-failed-logins.md.
    const address = addressOf(ctx.req);
    const target = [provider, clientIdOf(ctx), clientNetwork(address)];
    const waitSeconds = tokenLimiter.waitSeconds(target);
    tokenLimiter.count(target);
    // The id is logged only if a client has it, as it may be a secret.
    const client = ctx.oidc.client?.clientId ?? 'unknown';
    const outcome = waitSeconds === 0 ? 'failed' : 'delayed';
    logAttempt(ctx.req, { realm: provider, address, client, outcome });
    if (waitSeconds === 0) return;
    ctx.status = 429;
    ctx.set('Retry-After', String(waitSeconds));
    ctx.body = {
      error: 'slow_down',
      error_description: `too many failed attempts from this address; try again in ${waitSeconds} s`,
    };
  }
}

function isForeign(ctx: KoaContextWithOIDC, addressOf: (request: object) => string): boolean {
  const { networks = [] } = (ctx.oidc.client ?? {}) as Partial<ClientGrantee>;
  return networks.length > 0 && !isInNetworks(networkList(networks), addressOf(ctx.req));
}

/** As the library parsed it; what is malformed, it has answered with 400. */
export function clientIdOf(ctx: KoaContextWithOIDC): string {
  const basic = /^basic (.+)$/i.exec(ctx.headers.authorization ?? '')?.[1];
  if (basic === undefined) return String(ctx.oidc.params?.client_id ?? '');
  const [id = ''] = Buffer.from(basic, 'base64').toString('utf8').split(':', 1);
  // Decoded, so that all encodings of an id share one counter.
  return decodeURIComponent(id.replaceAll('+', '%20'));
}
