import { updateEventMetrics } from '../../platform/event-log/event-metrics.ts';
import type { Module } from '../module.ts';
import { eventsSchema } from './cloud-event.ts';
import { expireEvents } from './expire-events.ts';
import { findEvents } from './find-events.ts';
import { sequenceEventsJob } from './sequence-events-job.ts';
import { streamEvents } from './stream-events.ts';

/** What has changed, for clients: made of what the other modules declare. */
export function eventLog(others: readonly Module[]): Module {
  const records = others.flatMap(({ recordEvents = [] }) => recordEvents);
  const EventSchema = eventsSchema(records);
  return {
    name: 'event-log',
    tag: {
      name: 'Events',
      description: 'What has changed, as CloudEvents 1.0: to be read by pages, or as a stream.',
    },
    operations: [findEvents(records, EventSchema), streamEvents(records, EventSchema)],
    jobs: [sequenceEventsJob, expireEvents],
    updateMetrics: updateEventMetrics,
  };
}
