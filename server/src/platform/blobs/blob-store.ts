import type { Readable } from 'node:stream';

/** Keeps bytes under keys that we make; what they belong to is in the database. */
export type BlobStore = {
  /**
   * Durable when it resolves; whole or not at all. Answers the number of bytes. What was under the
   * key, or was left there by a put that was killed, is replaced. When it rejects, the stream has been
   * given up; if the stream failed, it is with the stream's own fault.
   */
  put(key: string, bytes: Readable): Promise<number>;
  /** All of it, or from the first byte of the range to its last. Rejects with NoSuchBlob. */
  get(key: string, range?: ByteRange): Promise<Readable>;
  /** Takes what a killed put has left as well; also resolves when there is nothing under the key. */
  delete(key: string): Promise<void>;
};

export type ByteRange = { first: number; last: number };

export class NoSuchBlob extends Error {
  override readonly name = 'NoSuchBlob';
}

/** Words of letters, digits, hyphens and underscores with slashes between: nothing leads elsewhere. */
export function requireKey(key: string): void {
  if (!/^[\w-]+(\/[\w-]+)*$/.test(key)) throw new Error(`${JSON.stringify(key)} is no key`);
}
