import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import { compose, kinds } from '../compose.ts';
import type { Config } from '../config.ts';
import { findRow, listTables } from '../platform/backup/database-tables.ts';
import type { Header, Manifest } from '../platform/backup/format.ts';
import { load, notEmpty, type WaitingJob } from '../platform/backup/load.ts';
import { BackupReader } from '../platform/backup/read-backup.ts';
import { InvalidArchive } from '../platform/backup/tar.ts';
import { openBlobStore } from '../platform/blobs/open-blob-store.ts';
import { type Database, openDatabase, type Queryable } from '../platform/db/database.ts';
import { migrate, newestSchemaVersion } from '../platform/db/migrate.ts';
import { createMonthlyPartitions } from '../platform/db/monthly-partitions.ts';
import { type DatabaseServer, openServer } from '../platform/db/open-database.ts';
import type { Jobs } from '../platform/jobs/job.ts';
import { findMissingKeys } from '../platform/secrets/secret-keys.ts';
import { UserError } from '../platform/user-error.ts';
import { fleetSettings } from '../service.ts';
import { describeContent } from './backup-content.ts';
import { progressBar } from './progress.ts';
import { onOneLine } from './table.ts';
import { databaseSettings } from './with-database.ts';

/** Returns what is to be told about the restore. */
export async function readBackup(
  config: Config,
  file: string,
  signal: AbortSignal,
): Promise<string[]> {
  const input = await openInput(file);
  const gunzip = createGunzip();
  pipeline(input.bytes, gunzip, () => {});
  try {
    const reader = new BackupReader(gunzip);
    // First, so that no database is made for a file that is none.
    const header = await reader.header();
    await requireKnownSchema(header);
    const settings = databaseSettings(config);
    // As a service, which no other one may run beside on an embedded database.
    const server = await openServer(settings, 'service');
    const manifest = await restore(server, reader, header, { config, signal }).finally(
      server.close,
    );
    return [
      `Restored ${describeContent(manifest)}, as of ${header.createdAt}.`,
      ...(await describeKeys(header, config)),
    ];
  } catch (error) {
    signal.throwIfAborted();
    throw failure(error, file);
  } finally {
    input.end();
    gunzip.destroy();
  }
}

async function openInput(file: string): Promise<{ bytes: Readable; end(): void }> {
  if (file === '-') return { bytes: process.stdin, end() {} };
  const { size } = await stat(file).catch((error) => {
    throw new UserError(`Cannot read ${file}: ${error.message}`);
  });
  const bytes = createReadStream(file);
  const progress = progressBar(size, 'MiB');
  bytes.on('data', () => progress.show(bytes.bytesRead, Math.floor(bytes.bytesRead / 1_048_576)));
  return {
    bytes,
    end() {
      progress.end();
      bytes.destroy();
    },
  };
}

type Options = { config: Config; signal: AbortSignal };

async function restore(
  server: DatabaseServer,
  reader: BackupReader,
  header: Header,
  { config, signal }: Options,
): Promise<Manifest> {
  const { owner: connection, serviceRole } = server;
  await onClient(connection, (client) => requireEmpty(client, header));
  const blobs = await openBlobStore(config.BLOB_URL, config.DATA_DIR);
  signal.throwIfAborted();
  await migrate(connection, { serviceRole, target: header.schemaVersion });
  const owner = openDatabase(connection, { ...databaseSettings(config), poolSize: 2 });
  try {
    await createPartitions(owner, header);
    const settings = fleetSettings(config);
    const { queue } = await compose({
      ...{ db: owner, owner, blobs, settings, runsJobs: false },
      onError: () => {},
    });
    try {
      const enqueue = enqueueWith(queue);
      const manifest = await load(reader, header, { connection, blobs, signal, enqueue });
      await migrate(connection, { serviceRole });
      await onClient(connection, analyze);
      return manifest;
    } finally {
      await queue.close();
    }
  } finally {
    await owner.close();
  }
}

async function onClient<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...connection, application_name: 'motorpool restore' });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Of another release, it is migrated after the load. */
async function requireKnownSchema({ schemaVersion, program }: Header): Promise<void> {
  const newest = await newestSchemaVersion();
  if (schemaVersion <= newest) return;
  throw new UserError(
    `The backup has schema version ${schemaVersion}, and this program knows ${newest}: restore it with Motorpool ${program}.`,
  );
}

async function requireEmpty(client: pg.Client, header: Header): Promise<void> {
  const tables = await listTables(client);
  const filled = await findRow(client, tables);
  if (filled !== undefined) throw notEmpty(filled);
  const { rows } = await client.query(
    `select to_regclass('schema_migrations') is not null as migrated`,
  );
  if (!rows[0].migrated) return;
  const { rows: versions } = await client.query(
    'select coalesce(max(version), 0)::int as version from schema_migrations',
  );
  const { version } = versions[0];
  if (version > header.schemaVersion) {
    throw new UserError(
      `The database has schema version ${version} already, and the backup ${header.schemaVersion}: restore into a new one.`,
    );
  }
}

async function createPartitions(owner: Database, header: Header): Promise<void> {
  for (const { name, months } of header.tables) {
    if (!months) continue;
    const [first, last] = months.map((month) => new Date(`${month}-01T00:00:00Z`)) as [Date, Date];
    await createMonthlyPartitions(owner, name, first, last);
  }
}

function enqueueWith(jobs: Jobs) {
  const byName = new Map(kinds.map((kind) => [kind.name, kind]));
  return async (client: pg.Client, waiting: readonly WaitingJob[]): Promise<void> => {
    const rawQuery = (text: string, values?: unknown[]) => client.query(text, values);
    for (const { name, payload } of waiting) {
      const kind = byName.get(name);
      // Of a release that had another kind.
      if (kind) await jobs.add({ rawQuery } as Queryable, kind, payload as never);
    }
  };
}

/** The planner knows nothing of tables that have just been filled. */
async function analyze(client: pg.Client): Promise<void> {
  for (const { name } of await listTables(client))
    await client.query(`analyze ${client.escapeIdentifier(name)}`);
}

async function describeKeys(header: Header, config: Config): Promise<string[]> {
  const settings = { secretKeys: config.SECRETS_KEY, dataDir: config.DATA_DIR };
  const [missing] = await findMissingKeys(header.secretKeys, settings);
  if (missing === undefined) return [];
  return [
    `Its secrets are sealed under the key ${missing}, which is not in the backup: before the start, set SECRETS_KEY to that of ` +
      'the service that was backed up, or copy the file secrets.key of its DATA_DIR.',
  ];
}

function failure(error: unknown, file: string): unknown {
  if (error instanceof UserError) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  // Those of the parser and of PostgreSQL quote what is in the file.
  const message = onOneLine((error as Error).message);
  const isDamaged = error instanceof InvalidArchive || code?.startsWith('Z_');
  if (isDamaged)
    return new UserError(`${file} is damaged or no backup, and nothing was restored: ${message}.`);
  if (error instanceof pg.DatabaseError || syscall !== undefined)
    return new UserError(`Nothing was restored: ${message}.`);
  return error;
}
