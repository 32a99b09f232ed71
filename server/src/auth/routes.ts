import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify';
import { LRUCache } from 'lru-cache';
import { errors, type Provider } from 'oidc-provider';
import { atMost } from '../platform/cache-bound.ts';
import type { Database } from '../platform/db/database.ts';
import { forbidden, Problem, unauthorized } from '../platform/http/problem.ts';
import { createAuthorizationServer, userinfoPath } from './authorization-server.ts';
import type { BearerCheck } from './bearer.ts';
import { createFailedLoginLimiter } from './failed-login-limiter.ts';
import { sendOAuthError } from './oauth-error.ts';
import { servePages } from './page-scope.ts';
import { errorPage, loginPage, pagePolicy } from './pages.ts';
import { type RealmRequest, type RealmServer, serve } from './realm-route.ts';
import type { Realm, Realms } from './realms.ts';
import { serverSecret } from './secrets.ts';
import { createTokenCache } from './token-cache.ts';
import { authenticateUser, findUser } from './users.ts';

export type AuthRoutesOptions = {
  db: Database;
  realms: Realms;
  checkBearer: BearerCheck;
  publicUrl: () => string;
  allowDemoCredentials: boolean;
};

/** The paths below a realm that the OpenID library serves. */
const libraryEndpoints: Record<string, HTTPMethods[]> = {
  '/.well-known/openid-configuration': ['GET', 'OPTIONS'],
  '/protocol/openid-connect/auth': ['GET', 'POST'],
  '/protocol/openid-connect/auth/:uid': ['GET'],
  '/protocol/openid-connect/token': ['POST', 'OPTIONS'],
  '/protocol/openid-connect/certs': ['GET', 'OPTIONS'],
  '/protocol/openid-connect/logout': ['GET', 'POST'],
  '/protocol/openid-connect/logout/confirm': ['POST'],
  '/protocol/openid-connect/logout/success': ['GET'],
};
const loginEndpoint = '/login/:uid';
const maxServers = 200;

/** The authorization server of every provider, each in its own realm. */
export function registerAuthRoutes(app: FastifyInstance, options: AuthRoutesOptions): void {
  const { db, realms, publicUrl, allowDemoCredentials } = options;
  const servers = new LRUCache<string, RealmServer>(atMost(maxServers));
  const addresses = new WeakMap<object, string>();
  const tokenLimiter = createFailedLoginLimiter();
  const tokenCache = createTokenCache();
  const passwordLimiter = createFailedLoginLimiter();

  async function buildServer(realm: Realm): Promise<RealmServer> {
    const server = await createAuthorizationServer(realm, {
      db,
      publicUrl: publicUrl(),
      cookieKey: (await serverSecret(db, 'cookie-key')).toString('base64url'),
      allowDemoCredentials,
      tokenLimiter,
      tokenCache,
      addressOf: (request) => addresses.get(request) ?? '',
      onError: (error) => app.log.error({ err: error }, 'the authorization server failed'),
    });
    return { version: realm.version, server, handle: server.callback() };
  }

  async function serverOf(provider: string): Promise<RealmServer | undefined> {
    const realm = await realms.find(provider);
    if (!realm || realm.disabled) return undefined;
    const cached = servers.get(provider);
    if (cached?.version === realm.version) return cached;
    const current = await buildServer(realm);
    servers.set(provider, current);
    return current;
  }

  async function requireServer(request: RealmRequest): Promise<RealmServer> {
    const server = await serverOf(request.params.realm);
    if (!server) {
      throw new Problem(404, 'realm-not-found', 'No such realm', {
        detail: 'There is no such realm.',
      });
    }
    addresses.set(request.raw, request.ip);
    // The library trusts these headers, so those of the client are overwritten.
    request.raw.headers['x-forwarded-proto'] = new URL(publicUrl()).protocol.slice(0, -1);
    request.raw.headers['x-forwarded-host'] = new URL(publicUrl()).host;
    return server;
  }

  app.register(async (scope) => {
    disableBodyParsing(scope);
    scope.setErrorHandler(sendOAuthError);
    for (const [path, methods] of Object.entries(libraryEndpoints)) {
      serve(scope, path, methods, async (request, reply) => {
        delegate(await requireServer(request), request, reply);
        return reply;
      });
    }
  });

  app.register(async (scope) => {
    disableBodyParsing(scope);
    serve(scope, userinfoPath, ['GET', 'POST'], async (request, reply) => {
      await requireServer(request);
      const { realm } = request.params;
      const { authorization } = request.headers;
      const token = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
      const principal = token && (await options.checkBearer(token));
      if (!principal) throw unauthorized(realm, authorization !== undefined);
      if (principal.provider !== realm) throw forbidden();
      const user = await findUser(db, realm, principal.subject, allowDemoCredentials);
      return reply
        .header('cache-control', 'no-store')
        .send({ sub: principal.subject, preferred_username: user?.username });
    });
  });

  servePages(app, pagePolicy, (scope) => {
    serve(scope, loginEndpoint, ['GET', 'POST'], async (request, reply) => {
      const { realm } = request.params;
      const { server } = await requireServer(request);
      if (!(await isSigningIn(server, request, reply))) {
        return reply
          .code(400)
          .send(errorPage('invalid_request', 'This sign-in has expired or was finished already.'));
      }
      if (request.method === 'GET') return reply.send(loginPage({ realm, username: '' }));

      const { username = '', password = '' } = request.body ?? {};
      const target = [realm, username.toLowerCase(), request.ip];
      const waitSeconds = passwordLimiter.waitSeconds(target);
      if (waitSeconds > 0) {
        const error = `Too many failed attempts. Try again in ${waitSeconds} seconds.`;
        return reply
          .code(429)
          .header('retry-after', waitSeconds)
          .send(loginPage({ realm, username, error }));
      }
      // Counted before the check, so that concurrent attempts cannot exceed the limit.
      passwordLimiter.failed(target);
      const user = await authenticateUser(db, realm, username, password, allowDemoCredentials);
      if (!user) {
        const error = 'The user name or the password is wrong.';
        return reply.code(401).send(loginPage({ realm, username, error }));
      }
      passwordLimiter.succeeded(target);
      const next = await server.interactionResult(request.raw, reply.raw, {
        login: { accountId: user.id },
      });
      return reply.redirect(next, 303);
    });
  });
}

/** For bodies that the OpenID library parses itself, and requests without one. */
function disableBodyParsing(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

/** Whether the browser has a pending login of the library. */
async function isSigningIn(
  server: Provider,
  request: RealmRequest,
  reply: FastifyReply,
): Promise<boolean> {
  try {
    const { prompt } = await server.interactionDetails(request.raw, reply.raw);
    return prompt.name === 'login';
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return false;
    throw error;
  }
}

/** Delegates the raw request to the library, with the path below the realm. */
function delegate({ handle }: RealmServer, request: RealmRequest, reply: FastifyReply): void {
  const raw = request.raw as IncomingMessage & { originalUrl?: string };
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.setHeader('content-security-policy', pagePolicy);
  raw.originalUrl = raw.url ?? '';
  raw.url = raw.originalUrl.slice(raw.originalUrl.indexOf('/', '/realms/'.length));
  reply.hijack();
  void handle(raw, reply.raw);
}
