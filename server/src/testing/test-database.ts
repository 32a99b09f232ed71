import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export type TestDatabase = { connection: pg.ClientConfig; drop(): Promise<void> };

/** A database for one test file: migrated, with DE-ABC, FR-XYZ and a client in each. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(inject('postgres').template);
}

/** One without a schema. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase('template0');
}

async function createDatabase(template: string): Promise<TestDatabase> {
  const { connection } = inject('postgres');
  const database = `motorpool_test_${randomBytes(6).toString('hex')}`;
  await onServer(connection, `create database ${database} template ${template}`);
  return {
    connection: { ...connection, database },
    drop: () => onServer(connection, `drop database ${database} with (force)`),
  };
}

/** A DATABASE_URL; the folder of a socket is in the query, as it is no host name. */
export function urlOf({ user, password, host, port, database }: pg.ClientConfig): string {
  const login = `${encodeURIComponent(user ?? '')}:${encodeURIComponent(String(password ?? ''))}`;
  return `postgres://${login}@localhost/${database}?host=${encodeURIComponent(host ?? '')}&port=${port ?? 5432}`;
}

async function onServer(connection: pg.ClientConfig, statement: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
