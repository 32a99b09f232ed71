import { Gauge } from 'prom-client';
import type { Queryable } from '../db/database.ts';
import { metrics } from '../metrics.ts';

const unnumbered = new Gauge({
  name: 'motorpool_events_oldest_unnumbered_seconds',
  help: 'Age of the oldest change that is not in the log of events yet',
  registers: [metrics],
});

export async function updateEventMetrics(db: Queryable): Promise<void> {
  const [row] = await db.query<{ seconds: number }>(
    `select coalesce(extract(epoch from now() - min(occurred_at)), 0)::float8 as seconds
     from event_outbox where transaction is null`,
  );
  unnumbered.set(Math.max(0, row?.seconds ?? 0));
}
