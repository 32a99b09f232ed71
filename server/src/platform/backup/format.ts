import { createHash, type Hash } from 'node:crypto';

/**
 * A backup is a tar.gz: header.json, the rows of each table in chunks (tables/<name>/<number>.copy, PostgreSQL's text
 * format), the stored files (files/<key>), and manifest.json (docs/decisions/0061-backup.md).
 */
export const formatName = 'motorpool-backup';
export const formatVersion = 1;
export const names = { header: 'header.json', manifest: 'manifest.json' };

/** What a restore must know before the first row. */
export type Header = {
  format: string;
  formatVersion: number;
  createdAt: string;
  program: string;
  postgres: string;
  schemaVersion: number;
  tables: DumpedTable[];
  /** The last number that each sequence has given. */
  sequences: Record<string, string>;
  /** Ids of the keys that the secrets are sealed under. */
  secretKeys: string[];
};

export type DumpedTable = {
  name: string;
  columns: string[];
  /** The first and the last month of a partitioned table, such as 2026-07. */
  months?: [string, string];
};

/** What is known after the last byte, and proves that a backup is whole. */
export type Manifest = {
  tables: Record<string, PartSummary>;
  files: PartSummary;
  /** Files that the store did not have; records refer to them. */
  missingFiles: number;
  /** Files that are in the backup as the store had them, and of another size than records say. */
  differingFiles: number;
};

/** `count` is of rows or files. */
export type PartSummary = { count: number; bytes: number; sha256: string };

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
