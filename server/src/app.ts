import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createBearerCheck, ownIssuer } from './auth/bearer.ts';
import { consoleClient, docsClient } from './auth/built-in-clients.ts';
import { externalIssuer } from './auth/external-issuer.ts';
import { registerInvitationRoutes } from './auth/invitation-routes.ts';
import { createRealms } from './auth/realms.ts';
import { registerAuthRoutes } from './auth/routes.ts';
import { authorizationComponents, authorizationPaths } from './auth/token-request.ts';
import { authorizationTag, documentInfo, homeLinks } from './document-info.ts';
import type { Dependencies } from './fleet/dependencies.ts';
import { operations, publicFiles, tags } from './fleet/index.ts';
import { buildInfo } from './platform/build-info.ts';
import { compressAnswers } from './platform/http/compression.ts';
import { type MapOptions, registerConsole } from './platform/http/console.ts';
import { type AllowedOrigins, allowOrigins } from './platform/http/cors.ts';
import { registerDocs } from './platform/http/docs.ts';
import { registerGuides } from './platform/http/guides.ts';
import { type Readiness, registerHealth } from './platform/http/health.ts';
import { registerHome } from './platform/http/home.ts';
import { type MetricsSource, registerMetrics } from './platform/http/metrics.ts';
import { openApiDocument } from './platform/http/openapi.ts';
import { registerOperations } from './platform/http/operation-routes.ts';
import type { Role } from './platform/http/principal.ts';
import { registerPublicFiles } from './platform/http/public-files.ts';
import { limitRequests, type RequestLimits } from './platform/http/request-limits.ts';
import { createServer, type ServerOptions } from './platform/http/server.ts';
import { describeFaults, simulateFaults } from './platform/http/simulated-faults.ts';
import { packagedFolder } from './platform/packaged-folder.ts';

export type AppDependencies = {
  fleet: Dependencies;
  logger: FastifyBaseLogger;
  /** Known only once the server listens, when PORT is 0. */
  publicUrl: () => string;
  authIssuer?: string | undefined;
  authAudience?: string[] | undefined;
  /** Of tokens that carry none; undefined refuses them. */
  defaultRole: Role | undefined;
  trustProxy: ServerOptions['trustProxy'];
  secure: boolean;
  allowDemoCredentials: boolean;
  /** Whether a header of a request chooses an error or a delay, as in the demo alone. */
  simulatesFaults: boolean;
  readiness: Readiness;
  /** Of pages that may use the interface. */
  corsOrigins: AllowedOrigins;
  /** Where the maps of the console come from. */
  map?: MapOptions;
  limits: RequestLimits;
  /** The metrics, unless they are served on a port of their own. */
  metrics: MetricsSource | undefined;
  timeouts?: ServerOptions['timeouts'];
};

/** The customer of the paths of users and drivers, also misspelt as one of them: erasing one reaches no logs (docs/decisions/0040-assignments-and-erasure.md). */
const personalSegment = {
  behind: /\b(users?|drivers?)\b/i,
  position: 3,
  placeholder: '{customerId}',
};

/** Composes the parts; does not listen yet. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const { fleet, publicUrl, authIssuer, allowDemoCredentials } = dependencies;
  // Verifying bearers does not wait for sign-ins, nor these for the statements of operations.
  const db = fleet.db.forTenant('authorization', 'internal');
  const app = createServer({ ...dependencies, personalSegment });
  allowOrigins(app, dependencies.corsOrigins);
  if (dependencies.simulatesFaults) simulateFaults(app);
  const realms = createRealms(fleet.db.forTenant('realms', 'internal'));
  const issuer =
    authIssuer === undefined
      ? ownIssuer(publicUrl, realms)
      : externalIssuer({
          template: authIssuer,
          audiences: dependencies.authAudience ?? [],
          onError: (error) =>
            app.log.warn({ err: error }, 'the keys of the external issuer cannot be fetched'),
        });
  const checkBearer = createBearerCheck(realms, issuer, dependencies.defaultRole);

  registerHealth(app, fleet.db, dependencies.readiness);
  if (dependencies.metrics) registerMetrics(app, dependencies.metrics);
  app.register(async (scope) => {
    compressAnswers(scope);
    registerHome(scope, homeLinks);
    const describe = () =>
      dependencies.simulatesFaults ? describeFaults(describeInterface()) : describeInterface();
    const signInClient = authIssuer === undefined ? docsClient : undefined;
    registerDocs(scope, describe, { signInClient, publicUrl });
    registerGuides(scope, publicUrl);
    registerPublicFiles(scope, publicFiles);
  });
  registerConsole(app, {
    folder: packagedFolder('console', 'console/dist'),
    settings: () => ({
      version: buildInfo.version,
      url: publicUrl(),
      issuer: authIssuer ?? `${publicUrl()}/realms/{realm}`,
      clientId: consoleClient,
      defaultRole: dependencies.defaultRole,
      isDemo: allowDemoCredentials,
    }),
    map: dependencies.map,
  });
  if (authIssuer === undefined) {
    registerAuthRoutes(app, { db, realms, checkBearer, publicUrl, allowDemoCredentials });
    registerInvitationRoutes(app, { db, realms, publicUrl });
  }
  const realmUrl = (provider: string) => `${publicUrl()}/realms/${provider}`;
  const handlers = { ...fleet, realmUrl: authIssuer === undefined ? realmUrl : undefined };
  app.register(async (scope) =>
    registerOperations(
      scope,
      operations,
      handlers,
      checkBearer,
      limitRequests(dependencies.limits),
    ),
  );
  return app;
}

export function describeInterface(): object {
  return openApiDocument(operations, {
    ...documentInfo,
    tags: [authorizationTag, ...tags],
    version: buildInfo.version,
    paths: authorizationPaths,
    components: authorizationComponents,
  });
}
