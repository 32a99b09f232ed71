import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type BlobStore, NoSuchBlob } from '../blobs/blob-store.ts';
import { sessionOptions } from '../db/connection-pool.ts';
import { type BackupTable, jobsPart, listTables, withoutTimeouts } from './database-tables.ts';
import {
  fileEntryName,
  formatName,
  formatVersion,
  type Header,
  type Manifest,
  names,
  PartDigest,
  tableEntryName,
} from './format.ts';
import { tarEnd, tarEntry } from './tar.ts';

export type DumpOptions = {
  connection: pg.ClientConfig;
  blobs: BlobStore;
  program: string;
  /** Selects key and size of the files that records refer to. */
  selectFiles: string;
  /** Ends the dump; its connection is closed. */
  signal: AbortSignal;
  onProgress(doneBytes: number, totalBytes: number): void;
  onDone(header: Header, manifest: Manifest): void;
};

type File = { key: string; size: number };

const chunkBytes = 4 * 1_048_576;
const filesPerFetch = 1_000;

/** The bytes of a backup, as tar: all tables in one snapshot, then the files that it refers to. */
export async function* dump(options: DumpOptions): AsyncGenerator<Buffer> {
  const { connection, signal } = options;
  const client = new pg.Client({
    ...connection,
    application_name: 'motorpool backup',
    options: `${sessionOptions} -c bytea_output=hex -c intervalstyle=postgres`,
  });
  client.on('error', () => {});
  const cut = () => client.connection.stream.destroy(signal.reason);
  signal.addEventListener('abort', cut);
  await client.connect();
  try {
    signal.throwIfAborted();
    await client.query('begin isolation level repeatable read, read only');
    await client.query(withoutTimeouts);
    yield* dumpSnapshot(client, options);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cut);
    // Whatever it is doing: an interrupted COPY would be read to its end.
    client.connection.stream.destroy();
  }
}

async function* dumpSnapshot(
  client: pg.Client,
  { blobs, program, selectFiles, onProgress, onDone }: DumpOptions,
): AsyncGenerator<Buffer> {
  const tables = await listTables(client);
  const header = await readHeader(client, tables, program);
  const { rows } = await client.query(
    `select coalesce(sum(size), 0) as bytes from (${selectFiles}) files`,
  );
  const totalBytes = tables.reduce((sum, { bytes }) => sum + bytes, Number(rows[0].bytes));
  let doneBytes = 0;
  const progress = (chunk: Buffer) => {
    doneBytes += chunk.length;
    onProgress(doneBytes, totalBytes);
  };
  const manifest: Manifest = {
    tables: {},
    files: new PartDigest().summary(0),
    missingFiles: 0,
    differingFiles: 0,
  };

  yield* jsonEntry(names.header, header);
  const parts = [
    ...tables.map(({ name, columns }) => ({ name, select: selectRows(client, name, columns) })),
    jobsPart,
  ];
  for (const { name, select } of parts) {
    const rows = client.query(copyTo(`copy (${select}) to stdout`));
    const digest = new PartDigest();
    let number = 0;
    for await (const chunk of inChunks(rows)) {
      number += 1;
      digest.add(chunk);
      yield* tarEntry(tableEntryName(name, number), chunk.length, [chunk]);
      progress(chunk);
    }
    manifest.tables[name] = digest.summary(rows.rowCount);
  }

  const digest = new PartDigest();
  let count = 0;
  for await (const { key, size } of readFiles(client, selectFiles)) {
    const blob = await blobs.getWhole(key).catch((error) => {
      if (error instanceof NoSuchBlob) return undefined;
      throw error;
    });
    if (!blob) {
      manifest.missingFiles += 1;
      continue;
    }
    if (blob.size !== size) manifest.differingFiles += 1;
    count += 1;
    digest.beginFile(key, blob.size);
    yield* tarEntry(fileEntryName(key), blob.size, countBytes(blob.bytes));
  }
  manifest.files = digest.summary(count);

  async function* countBytes(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      digest.add(chunk);
      progress(chunk);
      yield chunk;
    }
  }

  yield* jsonEntry(names.manifest, manifest);
  yield tarEnd();
  onDone(header, manifest);
}

async function readHeader(
  client: pg.Client,
  tables: readonly BackupTable[],
  program: string,
): Promise<Header> {
  const { rows } = await client.query(
    `select current_setting('server_version') as postgres, now() as created_at,
       (select max(version) from schema_migrations)::int as schema_version,
       (select coalesce(json_agg(id order by created_at), '[]') from secret_keys) as secret_keys,
       (select coalesce(json_object_agg(sequencename, last_value::text), '{}') from pg_sequences
        where schemaname = 'public' and last_value is not null) as sequences`,
  );
  const [row] = rows;
  return {
    format: formatName,
    formatVersion,
    createdAt: row.created_at.toISOString(),
    program,
    postgres: row.postgres,
    schemaVersion: row.schema_version,
    tables: tables.map(({ bytes, ...table }) => table),
    sequences: row.sequences,
    secretKeys: row.secret_keys,
  };
}

function selectRows(client: pg.Client, table: string, columns: readonly string[]): string {
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  return `select ${list} from ${client.escapeIdentifier(table)}`;
}

function jsonEntry(name: string, value: object): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  return tarEntry(name, bytes.length, [bytes]);
}

/** An entry of an archive begins with its size, which the rows of a table are too many to be known of. */
async function* inChunks(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of source) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < chunkBytes) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}

async function* readFiles(client: pg.Client, selectFiles: string): AsyncGenerator<File> {
  await client.query(`declare files no scroll cursor for ${selectFiles}`);
  for (;;) {
    const { rows } = await client.query(`fetch ${filesPerFetch} from files`);
    for (const { key, size } of rows) yield { key, size: Number(size) };
    if (rows.length < filesPerFetch) return;
  }
}
