import { createHash, type Hash } from 'node:crypto';
import Type, { type Static, type TSchema } from 'typebox';

/**
 * A backup is a tar.gz: header.json, the rows of each table in chunks (tables/<name>/<number>.copy, PostgreSQL's text
 * format), the stored files (files/<key>), and manifest.json (docs/decisions/0061-backup.md).
 */
export const formatName = 'motorpool-backup';
export const formatVersion = 1;
export const names = { header: 'header.json', manifest: 'manifest.json' };

// It is shown to whoever restores, before anything tells whether the file is a backup at all.
const PlainText = Type.String({ pattern: '^[ -~]{0,200}$' });
const Identifier = Type.String({ pattern: '^[a-z_0-9]{1,63}$' });
const Month = Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])$' });
const Count = Type.Integer({ minimum: 0 });
const byIdentifier = <Value extends TSchema>(value: Value) =>
  Type.Record(Identifier, value, { additionalProperties: false });

const DumpedTable = Type.Object({
  name: Identifier,
  columns: Type.Array(Identifier),
  /** The first and the last month of a partitioned table, such as 2026-07. */
  months: Type.Optional(Type.Tuple([Month, Month])),
});
export type DumpedTable = Static<typeof DumpedTable>;

/** What a restore must know before the first row. */
export const Header = Type.Object({
  format: Type.String(),
  formatVersion: Type.Integer(),
  createdAt: PlainText,
  program: PlainText,
  postgres: PlainText,
  schemaVersion: Count,
  tables: Type.Array(DumpedTable),
  /** The last number that each sequence has given. */
  sequences: byIdentifier(Type.String({ pattern: '^-?\\d+$' })),
  /** Ids of the keys that the secrets are sealed under. */
  secretKeys: Type.Array(PlainText),
});
export type Header = Static<typeof Header>;

/** `count` is of rows or files. */
const PartSummary = Type.Object({ count: Count, bytes: Count, sha256: PlainText });
export type PartSummary = Static<typeof PartSummary>;

/** What tells which release restores a backup, whatever its format. */
export const HeaderOfAnyFormat = Type.Pick(Header, ['program']);

/** What is known after the last byte, and proves that a backup is whole. */
export const Manifest = Type.Object({
  tables: byIdentifier(PartSummary),
  files: PartSummary,
  /** Files that the store did not have; records refer to them. */
  missingFiles: Count,
  /** Files that are in the backup as the store had them, and of another size than records say. */
  differingFiles: Count,
});
export type Manifest = Static<typeof Manifest>;

/** Sums up a part of the backup while it passes. */
export class PartDigest {
  readonly #hash: Hash = createHash('sha256');
  #bytes = 0;

  add(chunk: Buffer): void {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
  }

  /** A file counts with its name and size. */
  beginFile(key: string, size: number): void {
    this.#hash.update(`${key}\0${size}\0`);
  }

  summary(count: number): PartSummary {
    return { count, bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }
}

const tableEntry = /^tables\/([a-z_0-9]+)\/\d+\.copy$/;

export function tableOfEntry(name: string): string | undefined {
  return tableEntry.exec(name)?.[1];
}

export function tableEntryName(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, '0')}.copy`;
}

const filePrefix = 'files/';

export function fileKeyOfEntry(name: string): string | undefined {
  return name.startsWith(filePrefix) ? name.slice(filePrefix.length) : undefined;
}

export function fileEntryName(key: string): string {
  return `${filePrefix}${key}`;
}
