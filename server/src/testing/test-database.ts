import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { testHistoryDays, testSecretsKey } from './global-setup.ts';

export type TestDatabase = {
  /** As the service connects. */
  connection: pg.ClientConfig;
  /** With the role that owns the schema. */
  owner: pg.ClientConfig;
  /** Whether its tables are distributed over workers. */
  isSharded: boolean;
  /** The settings of a process on this database. */
  env: Record<string, string>;
  drop(): Promise<void>;
};

/** A database for one test file: migrated, with DE-ABC, FR-XYZ and a client in each. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('postgres').template);
}

/** One with the schema and no rows: a command on it does not take the time to migrate. */
export function createMigratedDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('postgres').migrated);
}

/** One without a schema. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const { superuser, owner, service, workers } = inject('postgres');
  const database = `motorpool_test_${randomBytes(6).toString('hex')}`;
  // A copy of every node's database has the same shards, which the coordinator knows by the names of nodes alone.
  const nodes = [superuser, ...workers];
  for (const node of nodes)
    await onServer(node, `create database ${database} template ${template} owner ${owner.user}`);
  const [connection, ownerConnection] = [
    { ...service, database },
    { ...owner, database },
  ];
  return {
    connection,
    owner: ownerConnection,
    env: {
      DATABASE_URL: urlOf(connection),
      DATABASE_OWNER_URL: urlOf(ownerConnection),
      SECRETS_KEY: testSecretsKey,
      // Of which there are partitions already.
      HISTORY_DAYS: String(testHistoryDays),
    },
    isSharded: workers.length > 0,
    async drop() {
      for (const node of nodes) await onServer(node, `drop database ${database} with (force)`);
    },
  };
}

/** A DATABASE_URL; the folder of a socket is in the query, as it is no host name. */
export function urlOf({ user, password, host, port, database }: pg.ClientConfig): string {
  const login = `${encodeURIComponent(user ?? '')}:${encodeURIComponent(String(password ?? ''))}`;
  return `postgres://${login}@localhost/${database}?host=${encodeURIComponent(host ?? '')}&port=${port ?? 5432}`;
}

export async function onServer(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
