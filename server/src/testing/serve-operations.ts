import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll } from 'vitest';
import { openDatabase } from '../platform/db/database.ts';
import type { Operation } from '../platform/http/operation.ts';
import type { TenantDependencies } from '../platform/http/operation-dependencies.ts';
import { registerOperations } from '../platform/http/operation-routes.ts';
import { createServer } from '../platform/http/server.ts';
import { systemClock } from '../platform/time/clock.ts';

/** What operations of tests have in common. */
export const testOperation = {
  tag: 'Test',
  role: 'viewer',
  origin: 'motorpool',
  summary: '',
  description: '',
  parameters: {},
  responses: { 200: { description: '' } },
  notFound: [] as string[],
} as const;

/** A server of these operations alone, without a database; a token is the provider of its caller, who is a viewer. */
export function serveOperations(
  operations: readonly Operation<TenantDependencies>[],
): FastifyInstance {
  const app = createServer({
    logger: pino({ level: 'silent' }),
    trustProxy: false,
    secure: false,
    publicUrl: () => 'http://127.0.0.1:8080',
  });
  // Does not connect: the operations have no statement.
  const db = openDatabase({}, { poolSize: 1, statementTimeoutMs: 1_000 });
  registerOperations(app, operations, { clock: systemClock, db }, async (token) => ({
    provider: token,
    kind: 'client',
    clientId: 'test',
    subject: 'test',
    roles: ['viewer'],
    networks: undefined,
    version: 0,
    clientVersion: 0,
    tokenId: 'test',
  }));
  afterAll(() => app.close());
  return app;
}
