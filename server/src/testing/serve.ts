import type pg from 'pg';
import { addClient } from '../auth/clients.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import type { Role } from '../platform/http/principal.ts';
import { testSecrets } from './global-setup.ts';
import { createSandbox, type Running, type Sandbox } from './sandbox.ts';
import { createTestDatabase } from './test-database.ts';
import { requestToken } from './test-service.ts';

export type Served = {
  folder: string;
  db: Database;
  /** As the service connects. */
  connection: pg.ClientConfig;
  /** Starts `motorpool serve` as a separate process on the same database; can be called repeatedly. */
  start(env?: Record<string, string>): Promise<Running & { url: string; token: string }>;
  /** Runs `motorpool serve` until it exits, such as because of an invalid setting. */
  run(env: Record<string, string>): ReturnType<Sandbox['run']>;
  close(): Promise<void>;
};

/** The real program on the shared PostgreSQL: it can be killed while the database continues. */
export async function createServed({ role }: { role?: Role } = {}): Promise<Served> {
  const sandbox = createSandbox();
  const database = await createTestDatabase();
  const db = openDatabase(database.connection, {
    poolSize: 2,
    statementTimeoutMs: 10_000,
    secrets: testSecrets,
  });
  const { id, secret = '' } = await addClient(db, 'DE-ABC', {
    name: 'test',
    ...(role && { role }),
  });
  return {
    folder: sandbox.folder,
    db,
    connection: database.connection,
    async start(env = {}) {
      const running = await sandbox.start(['serve'], { env: { ...database.env, ...env } });
      const credentials = { clientId: id, clientSecret: secret };
      const { json } = await requestToken(running.url, 'DE-ABC', credentials);
      return { ...running, token: json.access_token };
    },
    run: (env) => sandbox.run(['serve'], { env: { ...database.env, ...env } }),
    async close() {
      await sandbox.close();
      await db.close();
      await database.drop();
    },
  };
}
