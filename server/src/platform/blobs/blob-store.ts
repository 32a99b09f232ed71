import type { Readable } from 'node:stream';

/** Stores bytes under generated keys; the database records what they belong to. */
export type BlobStore = {
  /**
   * Atomic, and durable once resolved; replaces what is under the key. Returns the number of bytes. A rejection
   * destroys the stream; if the stream itself failed, the error is the stream's.
   */
  put(key: string, bytes: Readable): Promise<number>;
  /** The whole blob, or a range of it. Rejects with NoSuchBlob. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** With the number of its bytes, which is known before the first. Rejects with NoSuchBlob. */
  getWhole(key: string): Promise<WholeBlob>;
  /** Also removes what an interrupted put left; resolves when there is nothing under the key. */
  delete(key: string): Promise<void>;
};

type WholeBlob = { size: number; bytes: Readable };

/** Both ends are included. */
export type ByteRange = { first: number; last: number };

export class NoSuchBlob extends Error {
  override readonly name = 'NoSuchBlob';
}

/** Segments of letters, digits, hyphens and underscores, so that no key leads out of the store. */
export function isKey(text: string): boolean {
  return /^[\w-]+(\/[\w-]+)*$/.test(text);
}

export function requireKey(key: string): void {
  if (!isKey(key)) throw new Error(`${JSON.stringify(key)} is no key`);
}
