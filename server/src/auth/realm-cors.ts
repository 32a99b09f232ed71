import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { programEndpoints } from './oidc-configuration.ts';
import type { RealmOrigins } from './realm-origins.ts';

type Headers = Record<string, string>;

const exposedHeaders = 'WWW-Authenticate, Retry-After, X-Request-Id';
const preflightSeconds = '3600';

/** For documents that are the same for everybody. */
export const openCors: Headers = { 'access-control-allow-origin': '*' };

/** The headers by which pages of registered applications may read an answer. */
export async function corsHeaders(
  origins: RealmOrigins,
  realm: string,
  origin: string | undefined,
): Promise<Headers> {
  const isRegistered = origin !== undefined && (await origins(realm)).has(origin);
  if (!isRegistered) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
  };
}

/** Keycloak's clients send cookies with every request for a token, whose answer depends on none. */
export function credentialsAt(path: string, headers: Headers): Headers {
  const isAllowed = headers['access-control-allow-origin'] !== undefined;
  if (!isAllowed || !programEndpoints.includes(path)) return headers;
  return { ...headers, 'access-control-allow-credentials': 'true' };
}

/** Answers the question of a browser whether a page may send a request. */
export function sendPreflight(
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Headers,
  methods: readonly string[],
): FastifyReply {
  reply.code(204).header('allow', methods.join(', ')).headers(headers);
  if (headers['access-control-allow-origin'] !== undefined) {
    const requested = request.headers['access-control-request-headers'];
    reply.headers({
      'access-control-allow-methods': methods.join(', '),
      'access-control-max-age': preflightSeconds,
      ...(requested !== undefined && { 'access-control-allow-headers': requested }),
    });
  }
  return reply.send();
}

/** Replaces the headers of the OpenID library, which names any origin before it knows the client. */
export function replaceCors(ctx: KoaContextWithOIDC, headers: Headers): void {
  for (const name of ['allow-origin', 'allow-credentials', 'expose-headers'])
    ctx.remove(`access-control-${name}`);
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'vary') ctx.vary(value);
    else ctx.set(name, value);
  }
}
