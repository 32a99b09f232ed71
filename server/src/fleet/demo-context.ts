import type { BlobStore } from '../platform/blobs/blob-store.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { ProviderRef } from '../platform/http/operation.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { FleetSettings } from './dependencies.ts';
import type { Events } from './events.ts';

/**
 * What the demo of one provider is made from. A module hands facts to later ones as functions of it in its
 * `public.ts`, which give the same for the same scope.
 */
export type DemoScope = {
  provider: ProviderRef;
  extent: 'rich' | 'small';
  /** Stands still while the demo is made. */
  clock: Clock;
};

/** All that a module writes its part of the demo with. */
export type DemoContext = DemoScope & {
  tx: Queryable;
  /** Without subscribers: each module writes itself what would follow from its records. */
  events: Events;
  blobs: BlobStore;
  settings: FleetSettings;
};
