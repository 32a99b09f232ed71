import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import manifest from '../package.json' with { type: 'json' };
import { createBearerCheck, ownIssuer } from './auth/bearer.ts';
import { externalIssuer } from './auth/external-issuer.ts';
import { createRealms } from './auth/realms.ts';
import { registerAuthRoutes } from './auth/routes.ts';
import { tokenRequestPaths, tokenRequestSchemas } from './auth/token-request.ts';
import { documentInfo } from './document-info.ts';
import type { TelemetrySettings } from './fleet/dependencies.ts';
import { operations } from './fleet/index.ts';
import { createSearchCache } from './fleet/vehicles/search-cache.ts';
import type { BlobStore } from './platform/blobs/blob-store.ts';
import type { Database } from './platform/db/database.ts';
import { registerDocs } from './platform/http/docs.ts';
import { type Readiness, registerHealth } from './platform/http/health.ts';
import { openApiDocument } from './platform/http/openapi.ts';
import { registerOperations } from './platform/http/operation-routes.ts';
import { createServer, type ServerOptions } from './platform/http/server.ts';
import type { Jobs } from './platform/jobs/job.ts';

export type AppDependencies = {
  db: Database;
  blobs: BlobStore;
  jobs: Jobs;
  uploadLimitBytes: number;
  telemetry: TelemetrySettings;
  logger: FastifyBaseLogger;
  /** Known only once the port is, when a free one is taken. */
  publicUrl: () => string;
  authIssuer?: string | undefined;
  trustProxy: boolean;
  secure: boolean;
  allowDemoCredentials: boolean;
  readiness: Readiness;
  timeouts?: ServerOptions['timeouts'];
};

/** Puts the parts together; listens to nothing. */
export function buildApp(dependencies: AppDependencies): FastifyInstance {
  const {
    db,
    blobs,
    jobs,
    uploadLimitBytes,
    telemetry,
    publicUrl,
    authIssuer,
    allowDemoCredentials,
  } = dependencies;
  const app = createServer(dependencies);
  const realms = createRealms(db);
  const issuer = authIssuer === undefined ? ownIssuer(publicUrl) : externalIssuer(authIssuer);
  const checkBearer = createBearerCheck(realms, issuer);

  registerHealth(app, db, dependencies.readiness);
  registerDocs(app, describeInterface());
  if (authIssuer === undefined)
    registerAuthRoutes(app, { db, realms, checkBearer, publicUrl, allowDemoCredentials });
  const searchCache = createSearchCache();
  const given = { db, blobs, jobs, uploadLimitBytes, telemetry, searchCache };
  app.register(async (scope) => registerOperations(scope, operations, given, checkBearer));
  return app;
}

export function describeInterface(): object {
  return openApiDocument(operations, {
    ...documentInfo,
    version: manifest.version,
    paths: tokenRequestPaths,
    schemas: tokenRequestSchemas,
  });
}
