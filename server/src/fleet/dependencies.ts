import type { BlockList } from 'node:net';
import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Database } from '../platform/db/database.ts';
import type { ReadReplica } from '../platform/db/replica.ts';
import type { EventContext } from '../platform/events/publisher.ts';
import type { ImageConverter } from '../platform/images/image-converter.ts';
import type { Jobs } from '../platform/jobs/job.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Events, FleetEvents } from './events.ts';

/** What handlers and jobs receive besides their input. */
export type Dependencies = {
  db: Database;
  /** What searches read, while it is up to date. */
  replica?: ReadReplica | undefined;
  /** With the role that may change the schema, for the upkeep of partitions; one connection. */
  owner: Database;
  blobs: BlobStore;
  images: ImageConverter;
  jobs: Jobs;
  events: Events;
  clock: Clock;
  settings: FleetSettings;
  /** The address of a provider's realm; undefined in jobs, and where an external server issues the tokens. */
  realmUrl?: ((provider: string) => string) | undefined;
};

export type FleetSettings = {
  /** The largest file that can be uploaded. */
  uploadLimitBytes: number;
  /** How far back the history reaches. */
  historyDays: number;
  /** How long the audit trail is kept. */
  auditRetentionDays: number;
  /** How long events are kept. */
  eventsRetentionDays: number;
  /** Networks that webhooks may reach although they are not public, also without encryption. */
  webhookNetworks: BlockList;
  /** A pause or a silence that is shorter does not end a charging session. */
  chargingGapMs: number;
};

/** What a subscriber receives besides the event; it runs in the publisher's transaction. */
export type SubscriberContext = Pick<Dependencies, 'jobs' | 'clock' | 'settings'> &
  EventContext<FleetEvents>;
