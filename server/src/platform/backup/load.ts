import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type BlobStore, isKey, NoSuchBlob } from '../blobs/blob-store.ts';
import { sessionOptions } from '../db/connection-pool.ts';
import { UserError } from '../user-error.ts';
import { findRow, jobsPart, listTables, withoutTimeouts } from './database-tables.ts';
import {
  fileKeyOfEntry,
  type Header,
  type Manifest,
  PartDigest,
  type PartSummary,
  tableOfEntry,
} from './format.ts';
import type { BackupReader } from './read-backup.ts';
import { InvalidArchive } from './tar.ts';

export type WaitingJob = { name: string; payload: object };

export type LoadOptions = {
  /** Of the role that owns the schema, which has the version of the backup. */
  connection: pg.ClientConfig;
  blobs: BlobStore;
  signal: AbortSignal;
  /** Enqueues in the transaction of the rows. */
  enqueue(client: pg.Client, jobs: readonly WaitingJob[]): Promise<void>;
};

/** Loads all rows in one transaction, which commits after the last byte of the backup has been verified. */
export async function load(
  reader: BackupReader,
  header: Header,
  options: LoadOptions,
): Promise<Manifest> {
  const { connection, blobs, signal, enqueue } = options;
  const client = new pg.Client({
    ...connection,
    application_name: 'motorpool restore',
    options: sessionOptions,
  });
  client.on('error', () => {});
  const cut = () => client.connection.stream.destroy(signal.reason);
  signal.addEventListener('abort', cut);
  const newFiles: string[] = [];
  await client.connect();
  try {
    await client.query('begin');
    await client.query(withoutTimeouts);
    const resume = await suspendChecks(client, header);
    const restored = await loadParts(reader, client, header, { blobs, newFiles });
    const manifest = await reader.manifest();
    requireEqual(restored, manifest);
    await enqueue(client, await readJobs(client));
    for (const [name, last] of Object.entries(header.sequences))
      await client.query('select setval($1::regclass, $2)', [client.escapeIdentifier(name), last]);
    await resume();
    signal.throwIfAborted();
    await client.query('commit');
    return manifest;
  } catch (error) {
    // Rolls back, also within a COPY.
    client.connection.stream.destroy();
    for (const key of newFiles) await blobs.delete(key).catch(() => {});
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
    client.connection.stream.destroy();
  }
}

/**
 * Triggers would record the load as changes, and foreign keys would be checked row by row, in the order of the tables.
 * Returns what puts both back, and checks the keys at once.
 */
async function suspendChecks(client: pg.Client, header: Header): Promise<() => Promise<void>> {
  const known = new Map((await listTables(client)).map((table) => [table.name, table]));
  const strange = header.tables.find(
    ({ name, columns }) => !columns.every((column) => known.get(name)?.columns.includes(column)),
  );
  if (strange) throw new InvalidArchive(`it has another table ${strange.name}`);
  const tables = [...known.keys()].map((name) => client.escapeIdentifier(name));
  // Locks the tables first: nobody else writes until the end.
  for (const table of tables) await client.query(`alter table ${table} disable trigger user`);
  const filled = await findRow(client, [...known.values()]);
  if (filled !== undefined) throw notEmpty(filled);
  const { rows: constraints } = await client.query<Record<'table' | 'name' | 'definition', string>>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where connamespace = 'public'::regnamespace and conparentid = 0
       and (contype = 'f' or contype = 'c' and not convalidated)`,
  );
  for (const { table, name } of constraints)
    await client.query(`alter table ${table} drop constraint ${name}`);
  return async () => {
    for (const { table, name, definition } of constraints)
      await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    for (const table of tables) await client.query(`alter table ${table} enable trigger user`);
  };
}

export function notEmpty(table: string): UserError {
  return new UserError(
    `The database is not empty (${table} has rows): restore into a new one, and start the service afterwards.`,
  );
}

type Parts = Pick<Manifest, 'tables' | 'files'>;

async function loadParts(
  reader: BackupReader,
  client: pg.Client,
  header: Header,
  { blobs, newFiles }: { blobs: BlobStore; newFiles: string[] },
): Promise<Parts> {
  await client.query('create temporary table jobs (name text, payload jsonb) on commit drop');
  const targets = new Map([...header.tables, jobsPart].map((table) => [table.name, table]));
  const empty = new PartDigest().summary(0);
  const tables = Object.fromEntries([...targets.keys()].map((name) => [name, empty]));
  const filesDigest = new PartDigest();
  let files = 0;
  while (reader.current) {
    const { name, size, body } = reader.current;
    const target = targets.get(tableOfEntry(name) ?? '');
    const key = fileKeyOfEntry(name);
    if (target) {
      targets.delete(target.name);
      tables[target.name] = await loadTable(reader, client, target);
    } else if (key !== undefined && isKey(key)) {
      filesDigest.beginFile(key, size);
      const bytes = Readable.from(counted(body, filesDigest), { objectMode: false });
      const present = await find(blobs, key);
      if (present) await requireSame(key, bytes, present);
      else {
        newFiles.push(key);
        await blobs.put(key, bytes);
      }
      files += 1;
      await reader.advance();
    } else break;
  }
  return { tables, files: filesDigest.summary(files) };
}

async function loadTable(
  reader: BackupReader,
  client: pg.Client,
  { name, columns }: { name: string; columns: readonly string[] },
): Promise<PartSummary> {
  const digest = new PartDigest();
  async function* chunks(): AsyncGenerator<Buffer> {
    while (reader.current && tableOfEntry(reader.current.name) === name) {
      yield* counted(reader.current.body, digest);
      await reader.advance();
    }
  }
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const rows = client.query(copyFrom(`copy ${client.escapeIdentifier(name)} (${list}) from stdin`));
  await pipeline(Readable.from(chunks(), { objectMode: false }), rows);
  return digest.summary(rows.rowCount);
}

async function* counted(source: AsyncIterable<Buffer>, digest: PartDigest): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    digest.add(chunk);
    yield chunk;
  }
}

async function find(blobs: BlobStore, key: string): Promise<Readable | undefined> {
  try {
    return await blobs.get(key);
  } catch (error) {
    if (error instanceof NoSuchBlob) return undefined;
    throw error;
  }
}

/** One that is there, such as in a bucket that another database uses, is never replaced or deleted. */
async function requireSame(key: string, bytes: Readable, present: Readable): Promise<void> {
  try {
    if ((await sha256Of(bytes)) === (await sha256Of(present))) return;
  } finally {
    present.destroy();
  }
  throw new UserError(
    `The store has another file under the key ${key} already, and nothing was restored: move it away, or restore into a store of its own (BLOB_URL).`,
  );
}

async function sha256Of(bytes: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function requireEqual(restored: Parts, manifest: Manifest): void {
  const expected: Record<string, PartSummary> = { ...manifest.tables, files: manifest.files };
  const found: Record<string, PartSummary> = { ...restored.tables, files: restored.files };
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [one, other] = [expected[name], found[name]];
    if (one?.sha256 !== other?.sha256 || one?.count !== other?.count || one?.bytes !== other?.bytes)
      throw new InvalidArchive(`the checksum of ${name} differs`);
  }
}

async function readJobs(client: pg.Client): Promise<WaitingJob[]> {
  const { rows } = await client.query<WaitingJob>('select name, payload from jobs');
  return rows;
}
