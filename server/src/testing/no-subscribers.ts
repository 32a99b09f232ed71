import type { Events } from '../fleet/events.ts';
import type { Queryable } from '../platform/db/database.ts';
import { createPublisher } from '../platform/events/publisher.ts';
import { systemClock } from '../platform/time/clock.ts';

/** For test data whose events must have no effects. */
export const noSubscribers: Events = createPublisher([], {});

/** Writes vehicles without events. */
export function quietWriter(tx: Queryable) {
  return { tx, events: noSubscribers, clock: systemClock };
}
