import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { addDemoClient } from '../auth/clients.ts';
import { setHashingCostForTests } from '../auth/password-hash.ts';
import { addProvider } from '../auth/providers.ts';
import { addDemoUser } from '../auth/users.ts';
import { createPartitions } from '../fleet/telemetry/public.ts';
import { createAuditPartitions } from '../platform/db/audit-partitions.ts';
import { openDatabase } from '../platform/db/database.ts';
import { openEmbedded } from '../platform/db/embedded/embedded-database.ts';
import { migrate, withSchemaLock } from '../platform/db/migrate.ts';
import { shardDatabase } from '../platform/db/sharding/shard-database.ts';
import { createSecretBox } from '../platform/secrets/secret-box.ts';
import { parseSecretKeys } from '../platform/secrets/secret-keys.ts';
import { cheapHashing } from './cheap-hashing.ts';
import { connectNodes, releaseTemplate, workersOf } from './citus-databases.ts';
import { fastFolder } from './sandbox.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: {
      superuser: pg.ClientConfig;
      owner: pg.ClientConfig;
      service: pg.ClientConfig;
      template: string;
      /** With the schema alone. */
      migrated: string;
      /** The other servers of a cluster whose tables are distributed; without any, it is one server. */
      workers: pg.ClientConfig[];
    };
    /** The folder of what the test files of a run share. */
    runFolder: string;
  }
}

export const testCredentials = { clientId: 'demo-client', clientSecret: 'demo-secret' };
export const testUser = { username: 'demo', password: 'demo' };
/** Less than by default: every month is a table, in the database of each file. */
export const testHistoryDays = 250;
/** The SECRETS_KEY of all processes and connections on test databases. */
export const testSecretsKey = Buffer.alloc(32, 'test').toString('base64');
export const testSecretKeys = parseSecretKeys(testSecretsKey);
export const testSecrets = createSecretBox(testSecretKeys);

/** One PostgreSQL for the run, with a template database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { superuser, workers = [], stop } = await locateServer();
  setHashingCostForTests(cheapHashing);
  const template = `motorpool_template_${process.pid}`;
  // Roles belong to the server, which several runs may share.
  const owner = await createRole(superuser, `motorpool_test_owner_${process.pid}`);
  const service = await createRole(superuser, `motorpool_test_service_${process.pid}`);
  // Contract tests restore records without triggers.
  const nodes = [superuser, ...workers];
  for (const node of nodes) {
    await onServer(node, `grant set on parameter session_replication_role to ${owner.user}`);
    await onServer(node, `create database ${template} owner ${owner.user}`);
  }
  await migrate({ ...owner, database: template }, { serviceRole: service.user });
  const isSharded = workers.length > 0;
  if (isSharded) {
    await connectNodes(superuser, workers, template);
    await withSchemaLock({ ...owner, database: template }, (client) =>
      shardDatabase(client, { shardCount: 4 }),
    );
  }
  const migrated = `${template}_migrated`;
  if (!isSharded)
    await onServer(
      superuser,
      `create database ${migrated} template ${template} owner ${owner.user}`,
    );
  const options = { poolSize: 1, statementTimeoutMs: 60_000, secrets: testSecrets, isSharded };
  const db = openDatabase({ ...service, database: template }, options);
  for (const provider of ['DE-ABC', 'FR-XYZ']) {
    await db.transaction(async (tx) => {
      await addProvider(tx, provider, provider, { demo: true });
      await addDemoClient(tx, provider, testCredentials.clientId, testCredentials.clientSecret);
      await addDemoUser(tx, provider, testUser.username);
    });
  }
  await db.close();
  const ownerDb = openDatabase({ ...owner, database: template }, options);
  await createPartitions(ownerDb, testHistoryDays, new Date());
  await createAuditPartitions(ownerDb);
  await ownerDb.close();
  for (const node of isSharded ? nodes : []) await releaseTemplate(node, template);
  project.provide('postgres', { superuser, owner, service, template, migrated, workers });
  const runFolder = await mkdtemp(join(fastFolder(), 'motorpool-test-run-'));
  // Data folders in it belong to another account.
  await chmod(runFolder, 0o755);
  project.provide('runFolder', runFolder);
  return async () => {
    // Also those that a failed test has left.
    for (const node of nodes) {
      const left = await onServer(
        node,
        `select datname as name from pg_database where datdba = '${owner.user}'::regrole`,
      );
      for (const { name } of left) await onServer(node, `drop database ${name} with (force)`);
    }
    for (const node of nodes)
      await onServer(node, `revoke set on parameter session_replication_role from ${owner.user}`);
    for (const { user } of [owner, service]) await onServer(superuser, `drop role ${user}`);
    await rm(runFolder, { recursive: true });
    await stop();
  };
}

async function createRole(superuser: pg.ClientConfig, user: string) {
  const password = randomBytes(16).toString('hex');
  await onServer(superuser, `create role ${user} login password '${password}'`);
  return { ...superuser, user, password };
}

type Server = {
  superuser: pg.ClientConfig;
  workers?: pg.ClientConfig[];
  stop(): Promise<void>;
};

async function locateServer(): Promise<Server> {
  const cluster = process.env.TEST_CITUS_URL;
  if (cluster) {
    const superuser = connectionOf(cluster);
    return { superuser, workers: await workersOf(superuser), async stop() {} };
  }
  const url = process.env.TEST_DATABASE_URL;
  if (url) return { superuser: connectionOf(url), async stop() {} };
  const folder = await mkdtemp(join(tmpdir(), 'motorpool-test-'));
  const embedded = await openEmbedded(folder, 'command', {
    parameters: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // A service opens several connections, and each would hash the password for long.
      scram_iterations: '1',
    },
  });
  return {
    superuser: embedded.superuser,
    async stop() {
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function connectionOf(url: string): pg.ClientConfig {
  const { username, password, hostname, port, pathname, searchParams } = new URL(url);
  return {
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    host: searchParams.get('host') ?? hostname,
    port: Number(port || 5432),
    database: pathname.slice(1) || 'postgres',
  };
}

async function onServer(
  connection: pg.ClientConfig,
  statement: string,
): Promise<{ name: string }[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}
