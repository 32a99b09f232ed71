import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/db/database.ts';
import type { Jobs } from '../platform/jobs/job.ts';
import type { SearchCache } from './vehicles/search-cache.ts';

/** All that a handler is given besides its input. */
export type Dependencies = {
  db: Database;
  blobs: BlobStore;
  jobs: Jobs;
  /** The largest file that an upload may bring. */
  uploadLimitBytes: number;
  telemetry: TelemetrySettings;
  /** What searches for vehicles found, of this process alone. */
  searchCache: SearchCache;
};

export type TelemetrySettings = {
  /** How far back the history reaches. */
  historyDays: number;
  /** A silence that is shorter does not end a charging session. */
  chargingGapMs: number;
};

/** All that a job is given besides its payload, its transaction and the queue. */
export type JobDependencies = {
  db: Database;
  telemetry: TelemetrySettings;
};
