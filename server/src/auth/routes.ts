import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify';
import { LRUCache } from 'lru-cache';
import { atMost } from '../platform/cache-bound.ts';
import type { Database } from '../platform/db/database.ts';
import { Problem } from '../platform/http/problem.ts';
import { createAuthorizationServer } from './authorization-server.ts';
import type { BearerCheck } from './bearer.ts';
import { requireFewParameters } from './form-parameters.ts';
import { acceptedType, boundForm } from './given-request.ts';
import { sendOAuthError } from './oauth-error.ts';
import { withImpliedConsent } from './offline-access.ts';
import { endpoints } from './oidc-configuration.ts';
import { registerOpenDocuments } from './open-documents.ts';
import { servePages } from './page-scope.ts';
import { pagePolicy } from './pages.ts';
import { corsHeaders, credentialsAt, sendPreflight } from './realm-cors.ts';
import { realmDatabase } from './realm-database.ts';
import { registerRealmDocuments } from './realm-documents.ts';
import { readForm } from './realm-form.ts';
import { createRealmOrigins } from './realm-origins.ts';
import { type RealmRequest, type RealmServer, serve } from './realm-route.ts';
import type { Realm, Realms } from './realms.ts';
import { createSignInRecorder } from './record-sign-in.ts';
import { asRevocation } from './refresh-token-sign-out.ts';
import { serverSecret, signInSecrets } from './secrets.ts';
import { registerSessionPages } from './session-pages.ts';
import { registerAccount } from './sign-in/account.ts';
import { registerSignInForm } from './sign-in/form.ts';
import { signInKeyLoader } from './sign-in/sign-in-key.ts';
import { createStartLimits, refusesStart } from './sign-in/start-limits.ts';
import { createTokenCache } from './token-cache.ts';
import { createRefreshLimiter, createTokenLimiter } from './token-limiter.ts';

export type AuthRoutesOptions = {
  db: Database;
  realms: Realms;
  checkBearer: BearerCheck;
  publicUrl: () => string;
  allowDemoCredentials: boolean;
};

/** The paths below a realm that the OpenID library serves. */
const libraryEndpoints: Record<string, HTTPMethods[]> = {
  '/protocol/openid-connect/auth': ['GET', 'POST'],
  '/protocol/openid-connect/auth/:uid': ['GET'],
  '/protocol/openid-connect/token': ['POST', 'OPTIONS'],
  '/protocol/openid-connect/token/introspect': ['POST', 'OPTIONS'],
  '/protocol/openid-connect/revoke': ['POST', 'OPTIONS'],
  '/protocol/openid-connect/logout': ['GET', 'POST', 'OPTIONS'],
  '/protocol/openid-connect/logout/confirm': ['POST'],
  '/protocol/openid-connect/logout/success': ['GET'],
};
/** Of these, the ones that store something for a stranger. */
const startEndpoints = ['auth', 'auth/:uid', 'logout', 'logout/confirm'].map(
  (path) => `/protocol/openid-connect/${path}`,
);
/** Of these, the ones that a form can be sent to as well. */
const formEndpoints = [endpoints.authorization, endpoints.end_session];
// Why: docs/decisions/0005-realms.md.
const maxServers = 2_000;

/** The authorization server of every provider, each in its own realm. */
export function registerAuthRoutes(app: FastifyInstance, options: AuthRoutesOptions): void {
  const { db, realms, publicUrl, allowDemoCredentials } = options;
  const servers = new LRUCache<string, RealmServer>(atMost(maxServers));
  // Once for all who wait: strangers cause it, too.
  const building = new Map<string, { version: string; server: Promise<RealmServer> }>();
  const requests = new WeakMap<object, RealmRequest>();
  const signOuts = new WeakSet<object>();
  const tokenLimiter = createTokenLimiter();
  const refreshLimiter = createRefreshLimiter();
  const tokenCache = createTokenCache();
  const recordSignIn = createSignInRecorder(db);
  const startLimits = createStartLimits();
  const signInKey = signInKeyLoader(db);
  const origins = createRealmOrigins(db, realms, publicUrl, allowDemoCredentials);

  async function preflight(
    path: string,
    methods: readonly string[],
    request: RealmRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { realm } = request.params;
    const headers = credentialsAt(path, await corsHeaders(origins, realm, request.headers.origin));
    const allowed = methods.filter((method) => method !== 'OPTIONS');
    return sendPreflight(request, reply, headers, allowed);
  }

  async function buildServer(realm: Realm): Promise<RealmServer> {
    const server = await createAuthorizationServer(realm, {
      ...options,
      db: realmDatabase(db, realm.provider),
      publicUrl: publicUrl(),
      origins,
      cookieKey: (await serverSecret(db, signInSecrets.cookies)).toString('base64url'),
      tokenLimiter,
      refreshLimiter,
      tokenCache,
      recordSignIn,
      addressOf: (raw) => requests.get(raw)?.ip ?? '',
      isSignOut: (raw) => signOuts.has(raw),
      logAttempt: (raw, attempt) => requests.get(raw)?.log.info(attempt, 'token request'),
      onError: (error) => app.log.error({ err: error }, 'the authorization server failed'),
    });
    return { version: realm.version, server, handle: server.callback() };
  }

  async function serverOf(realm: Realm): Promise<RealmServer> {
    const { provider } = realm;
    const cached = servers.get(provider);
    if (cached?.version === realm.version) return cached;
    const running = building.get(provider);
    if (running?.version === realm.version) return running.server;
    const server = buildServer(realm);
    building.set(provider, { version: realm.version, server });
    try {
      const current = await server;
      servers.set(provider, current);
      return current;
    } finally {
      if (building.get(provider)?.server === server) building.delete(provider);
    }
  }

  /** For what needs no server: strangers name any realm, and a server takes long to build. */
  async function requireRealm(request: RealmRequest): Promise<Realm> {
    const realm = await realms.find(request.params.realm);
    if (!realm || realm.disabled) {
      throw new Problem(404, 'realm-not-found', 'No such realm', {
        detail: 'There is no such realm.',
      });
    }
    return realm;
  }

  async function requireServer(request: RealmRequest): Promise<RealmServer> {
    const server = await serverOf(await requireRealm(request));
    requests.set(request.raw, request);
    // The library trusts these headers, so those of the client are overwritten.
    request.raw.headers['x-forwarded-proto'] = new URL(publicUrl()).protocol.slice(0, -1);
    request.raw.headers['x-forwarded-host'] = new URL(publicUrl()).host;
    request.raw.headers.accept = acceptedType(request.headers.accept);
    return server;
  }

  /** Cookies come with links of other sites, and not with their forms: what is not for programs goes on as a link. */
  async function takeForm(
    path: string,
    request: RealmRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const form = await readForm(request);
    if (path !== endpoints.end_session || !form.has('refresh_token')) {
      const address = `${publicUrl()}/realms/${encodeURIComponent(request.params.realm)}${path}`;
      return reply.redirect(`${address}?${form}`, 303);
    }
    const server = await requireServer(request);
    asRevocation(request.raw, form);
    signOuts.add(request.raw);
    delegate(server, path, request, reply);
    return reply;
  }

  app.register(async (scope) => {
    disableBodyParsing(scope);
    scope.setErrorHandler(sendOAuthError);
    registerOpenDocuments(scope, { publicUrl, requireRealm });
    for (const [path, methods] of Object.entries(libraryEndpoints)) {
      const isStart = startEndpoints.includes(path);
      serve(scope, path, methods, async (request, reply) => {
        if (request.method === 'OPTIONS') return preflight(path, methods, request, reply);
        if (request.method === 'POST' && formEndpoints.includes(path))
          return takeForm(path, request, reply);
        // The router takes a slash at the end for an empty one, and the library for none.
        if (path.endsWith('/:uid') && uidOf(request) === '') {
          reply.callNotFound();
          return reply;
        }
        if (isStart && refusesStart(startLimits, request, reply, await signInKey())) return reply;
        requireFewParameters(request.url, 'address');
        const server = await requireServer(request);
        if (request.method === 'POST') await boundForm(request.raw);
        delegate(server, path, request, reply);
        return reply;
      });
    }
  });

  app.register(async (scope) => {
    disableBodyParsing(scope);
    registerRealmDocuments(scope, { ...options, origins, requireRealm });
  });

  servePages(app, pagePolicy, (scope) => {
    const signIn = {
      db,
      requireRealm,
      requireServer,
      allowDemoCredentials,
      signInKey,
      publicUrl,
      recordSignIn,
    };
    registerSignInForm(scope, signIn);
    registerAccount(scope, { ...signIn, ...options, origins });
    registerSessionPages(scope, { publicUrl, requireRealm, requireServer });
  });
}

/** For bodies that the OpenID library parses itself, and requests without one. */
function disableBodyParsing(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
}

const uidOf = ({ params }: RealmRequest) => (params as { uid?: string }).uid ?? '';

/** Delegates the raw request to the library: the path of its route below the realm, however the client has encoded it. */
function delegate(
  { handle }: RealmServer,
  path: string,
  request: RealmRequest,
  reply: FastifyReply,
): void {
  const raw = request.raw as IncomingMessage & { originalUrl?: string };
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  reply.raw.setHeader('content-security-policy', pagePolicy);
  const { url = '' } = raw;
  const query = url.includes('?') ? url.slice(url.indexOf('?')) : '';
  const realm = `/realms/${encodeURIComponent(request.params.realm)}`;
  // What is continued has its parameters already: the library fails on others.
  const below = path.includes(':uid')
    ? path.replace(':uid', encodeURIComponent(uidOf(request)))
    : `${path}${query}`;
  raw.originalUrl = withImpliedConsent(`${realm}${below}`);
  raw.url = raw.originalUrl.slice(realm.length);
  reply.hijack();
  void handle(raw, reply.raw);
}
