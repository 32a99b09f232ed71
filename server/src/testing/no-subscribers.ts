import type { Events } from '../fleet/events.ts';
import { createPublisher } from '../platform/events/publisher.ts';

/** For test data whose events must have no effects. */
export const noSubscribers: Events = createPublisher([], {});
