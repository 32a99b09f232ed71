import type { Events } from '../fleet/events.ts';
import { createPublisher } from '../platform/events/publisher.ts';

/** For data that is written for a test, and from which nothing shall follow. */
export const noSubscribers: Events = createPublisher([], {});
