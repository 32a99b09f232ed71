import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { addDemoClient } from '../auth/clients.ts';
import { addProvider } from '../auth/providers.ts';
import { addDemoUser } from '../auth/users.ts';
import { createPartitions } from '../fleet/telemetry/public.ts';
import { createAuditPartitions } from '../platform/db/audit-partitions.ts';
import { openDatabase } from '../platform/db/database.ts';
import { openEmbedded } from '../platform/db/embedded/embedded-database.ts';
import { migrate } from '../platform/db/migrate.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { connection: pg.ClientConfig; template: string };
  }
}

export const testCredentials = { clientId: 'demo-client', clientSecret: 'demo-secret' };
export const testUser = { username: 'demo', password: 'demo' };

/** One PostgreSQL for the run, with a template database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await locateServer();
  const template = `motorpool_template_${process.pid}`;
  await onServer(server.connection, `create database ${template}`);
  const connection = { ...server.connection, database: template };
  await migrate(connection);
  const db = openDatabase(connection, { poolSize: 1, statementTimeoutMs: 60_000 });
  for (const provider of ['DE-ABC', 'FR-XYZ']) {
    await db.transaction(async (tx) => {
      await addProvider(tx, provider, provider, { demo: true });
      await addDemoClient(tx, provider, testCredentials.clientId, testCredentials.clientSecret);
      await addDemoUser(tx, provider, testUser.username);
    });
  }
  await createPartitions(db, 1_100, new Date());
  await createAuditPartitions(db);
  await db.close();
  project.provide('postgres', { connection: server.connection, template });
  return async () => {
    await onServer(server.connection, `drop database ${template} with (force)`);
    await server.stop();
  };
}

async function locateServer(): Promise<{ connection: pg.ClientConfig; stop(): Promise<void> }> {
  const url = process.env.TEST_DATABASE_URL;
  if (url) {
    const { username, password, hostname, port, pathname, searchParams } = new URL(url);
    const connection = {
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      host: searchParams.get('host') ?? hostname,
      port: Number(port || 5432),
      database: pathname.slice(1) || 'postgres',
    };
    return { connection, async stop() {} };
  }
  const folder = await mkdtemp(join(tmpdir(), 'motorpool-test-'));
  const embedded = await openEmbedded(folder, 'command', {
    parameters: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  });
  return {
    connection: embedded.connection,
    async stop() {
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function onServer(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query(statement);
  await client.end();
}
