import type { Subscriptions } from '../platform/events/publisher.ts';
import type { Operation } from '../platform/http/operation.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { Dependencies, SubscriberContext } from './dependencies.ts';
import type { FleetEvents } from './events.ts';

/** The registration of a module: all that the rest of the program knows of it. */
export type Module = {
  /** Its folder. */
  name: string;
  /** Its group in the OpenAPI document; none where the interface counts its operations to another. */
  tag?: { name: string; description: string };
  operations: readonly Operation<Dependencies>[];
  jobs?: readonly Job<never, Dependencies>[];
  /** What follows in this module from what happens in others. */
  on?: Subscriptions<FleetEvents, SubscriberContext>;
  /** Its entries own files: the operations on them are made for it. */
  files?: FileOwner;
  /** Its tables that reference a customer, which is personal data. */
  customerTables?: readonly string[];
  /** What has to be there before the first request; `runsJobs` where this process also runs jobs. */
  start?(dependencies: Dependencies, options: { runsJobs: boolean }): Promise<void>;
};

/** A kind of entry of a vehicle that files belong to. */
export type FileOwner = {
  /** The segment of the path, and the kind of owner in the table of files. */
  segment: string;
  /** Its part of the operationIds. */
  name: string;
  noun: string;
  /** The noun with its article. */
  phrase: string;
  parameter: string;
  table: string;
  /** Operations that the published interface has, with the tag it gives them. */
  published?: { remove: string };
};
