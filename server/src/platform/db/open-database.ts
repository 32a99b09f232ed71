import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { UserError } from '../user-error.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { openEmbedded } from './embedded/embedded-database.ts';
import { migrate } from './migrate.ts';

export type DatabaseSettings = DatabaseOptions & {
  databaseUrl: string | undefined;
  dataDir: string;
};

/** The configured database, embedded or somebody else's, at the newest schema. */
export async function openConfiguredDatabase(
  settings: DatabaseSettings,
  role: 'service' | 'command',
): Promise<Database & { migrationsApplied: number }> {
  const { connection, close } = await locate(settings, role);
  try {
    const migrationsApplied = await migrate(connection);
    const database = openDatabase(connection, settings);
    return {
      ...database,
      migrationsApplied,
      async close() {
        // A command that is interrupted does not wait for its own transaction.
        await Promise.race([database.close(), sleep(2_000, undefined, { ref: false })]);
        await close();
      },
    };
  } catch (error) {
    await close();
    if (error instanceof UserError || settings.databaseUrl === undefined) throw error;
    throw new UserError(
      `DATABASE_URL: the database does not answer (${(error as Error).message}).`,
    );
  }
}

async function locate(
  { databaseUrl, dataDir }: DatabaseSettings,
  role: 'service' | 'command',
): Promise<{ connection: pg.ClientConfig; close(): Promise<void> }> {
  if (databaseUrl === undefined) return openEmbedded(dataDir, role);
  return { connection: { connectionString: databaseUrl }, async close() {} };
}
