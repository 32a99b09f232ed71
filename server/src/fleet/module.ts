import type { Queryable } from '../platform/db/database.ts';
import type { Subscriptions } from '../platform/events/publisher.ts';
import type { Operation, ProviderRef } from '../platform/http/operation.ts';
import type { Problem } from '../platform/http/problem.ts';
import type { PublicFile } from '../platform/http/public-files.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { CustomerData } from './customer-data.ts';
import type { DemoContext } from './demo-context.ts';
import type { Dependencies, SubscriberContext } from './dependencies.ts';
import type { FleetEvents } from './events.ts';
import type { RecordEvents } from './record-events.ts';

/** The registration of a module: all that the rest of the program knows of it. */
export type Module = {
  /** Its folder. */
  name: string;
  /** Its group in the OpenAPI document; none where the interface assigns its operations to another. */
  tag?: { name: string; description: string };
  operations: readonly Operation<Dependencies>[];
  jobs?: readonly Job<never, Dependencies>[];
  /** The events of its records, which clients read. */
  recordEvents?: readonly RecordEvents[];
  /** Its subscriptions to domain events of other modules. */
  on?: Subscriptions<FleetEvents, SubscriberContext>;
  /** Its entries own files: the operations on them are generated. */
  files?: FileOwner;
  /** Files that anyone may load. */
  publicFiles?: readonly PublicFile[];
  /** What it keeps of a customer: the view, the export and the erasure of a customer derive from it. */
  customerData?: CustomerData;
  /** Runs before the first request; `runsJobs` where this process also runs jobs. */
  start?(dependencies: Dependencies, options: { runsJobs: boolean }): Promise<void>;
  /** Work that is no job, in a process that runs jobs, until it is stopped. */
  runBeside?(
    dependencies: Dependencies,
    onError: (error: unknown, message: string) => void,
  ): { stop(): Promise<void> };
  /** Brings its metrics up to date that are read in the database. */
  updateMetrics?(db: Queryable): Promise<void>;
  /** Its part of the demo, for one provider; those of the modules before it are written already. */
  demo?(context: DemoContext): Promise<void>;
};

/** A kind of entry that files belong to. */
export type FileOwner = {
  /** Its entries are those of the provider; all others are entries of a vehicle. */
  ofProvider?: true;
  /** The segment of the path, and the kind of owner in the table of files. */
  segment: string;
  /** Its part of the operationIds. */
  name: string;
  noun: string;
  /** The noun with its article. */
  phrase: string;
  parameter: string;
  exampleId: string;
  table: string;
  /** Operations of the published interface, with their tags. */
  published?: { remove: string };
  /** Runs in the transaction that attaches bytes to a file, before it locks the file. */
  onUpload?(tx: Queryable, file: UploadedFile, context: UploadContext): Promise<void>;
  /** Where the bytes of a file can be neither replaced nor removed. */
  fixed?: {
    /** For the document: when that is 409. */
    description: string;
    /** Why it is so, if it is; locks the entry, before its files are locked. */
    findProblem(tx: Queryable, file: Omit<UploadedFile, 'blobUuid'>): Promise<Problem | undefined>;
  };
};

type UploadedFile = {
  provider: ProviderRef;
  /** Null of an entry of the provider. */
  vehicleId: string | null;
  entryId: string;
  blobUuid: string;
};
type UploadContext = Pick<Dependencies, 'jobs' | 'clock'>;
