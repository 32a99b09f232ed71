import type { FastifyInstance } from 'fastify';

/** The origins whose pages may use the interface: a list, or all. */
export type AllowedOrigins = readonly string[] | '*';

const exposedHeaders = [
  'Content-Disposition',
  'ETag',
  'Location',
  'Motorpool-Position',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

const preflightSeconds = 3_600;

/** Lets pages of other origins use the interface and its document. Without credentials: a page has a token, and no cookie counts. */
export function allowOrigins(app: FastifyInstance, allowed: AllowedOrigins): void {
  if (allowed.length === 0) return;
  const origins = new Set(allowed === '*' ? [] : allowed);
  // A callback, as an async hook costs every request a promise: docs/decisions/0025-hot-path.md.
  app.addHook('onRequest', (request, reply, done) => {
    if (!/^\/(api\/|openapi\.json)/.test(request.url)) return done();
    const { origin } = request.headers;
    if (allowed !== '*') reply.header('vary', 'Origin');
    if (origin === undefined || (allowed !== '*' && !origins.has(origin))) return done();
    reply.header('access-control-allow-origin', allowed === '*' ? '*' : origin);
    const method = request.headers['access-control-request-method'];
    if (request.method !== 'OPTIONS' || method === undefined) {
      reply.header('access-control-expose-headers', exposedHeaders);
      return done();
    }
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        // The asterisk does not include the first.
        'access-control-allow-headers': 'Authorization, *',
        'access-control-max-age': preflightSeconds,
      })
      .send();
  });
}
