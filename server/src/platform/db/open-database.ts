import type pg from 'pg';
import { UserError } from '../user-error.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { openEmbedded, type Role } from './embedded/embedded-database.ts';
import { migrate } from './migrate.ts';
import { isUnavailable } from './unavailable.ts';

export type DatabaseSettings = DatabaseOptions & {
  databaseUrl: string | undefined;
  dataDir: string;
};

/** Opens the configured database, embedded or external, and migrates it. */
export async function openConfiguredDatabase(
  settings: DatabaseSettings,
  role: Role,
): Promise<Database & { migrationsApplied: number }> {
  const { connection, close } = await openServer(settings, role);
  try {
    const migrationsApplied = await migrate(connection);
    const database = openDatabase(connection, settings);
    let closed: Promise<void> | undefined;
    return {
      ...database,
      migrationsApplied,
      close() {
        closed ??= database.close().finally(close);
        return closed;
      },
    };
  } catch (error) {
    await close();
    if (error instanceof UserError || settings.databaseUrl === undefined) throw error;
    const state = isUnavailable(error) ? 'does not answer' : 'cannot be used';
    throw new UserError(`DATABASE_URL: the database ${state} (${reasonOf(error)}).`);
  }
}

async function openServer(
  { databaseUrl, dataDir }: DatabaseSettings,
  role: Role,
): Promise<{ connection: pg.ClientConfig; close(): Promise<void> }> {
  if (databaseUrl === undefined) return openEmbedded(dataDir, role);
  return { connection: { connectionString: databaseUrl }, async close() {} };
}

/** A host with several addresses fails with an AggregateError, which has no message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return (error as Error).message;
}
