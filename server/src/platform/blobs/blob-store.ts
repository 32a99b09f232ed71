import type { Readable } from 'node:stream';

/** Keeps bytes under keys that we make; what they belong to is in the database. */
export type BlobStore = {
  /** Durable when it resolves; whole or not at all. Answers the number of bytes. */
  put(key: string, bytes: Readable): Promise<number>;
  /** All of it, or from the first byte of the range to its last. Rejects with NoSuchBlob. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Also resolves when there is nothing under the key. */
  delete(key: string): Promise<void>;
};

export type ByteRange = { first: number; last: number };

export class NoSuchBlob extends Error {
  override readonly name = 'NoSuchBlob';
}
