import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/db/database.ts';

/** All that a handler is given besides its input. */
export type Dependencies = {
  db: Database;
  blobs: BlobStore;
  /** The largest file that an upload may bring. */
  uploadLimitBytes: number;
};
