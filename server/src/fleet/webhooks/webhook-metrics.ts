import { Gauge } from 'prom-client';
import type { Queryable } from '../../platform/db/database.ts';
import { metrics } from '../../platform/metrics.ts';

const behind = new Gauge({
  name: 'motorpool_webhooks_events_behind',
  help: 'Events that active webhooks have not taken from the log yet',
  registers: [metrics],
});

const oldest = new Gauge({
  name: 'motorpool_webhooks_oldest_due_seconds',
  help: 'How long the oldest delivery has been due',
  registers: [metrics],
});

const failing = new Gauge({
  name: 'motorpool_webhooks_failing',
  help: 'Active webhooks whose receiver fails',
  registers: [metrics],
});

type Row = { behind: number; failing: number; seconds: number };

export async function updateWebhookMetrics(db: Queryable): Promise<void> {
  const [row] = await db.query<Row>(`
    select coalesce(sum(greatest(s.last_number - w.position, 0)), 0)::float8 as behind,
      count(*) filter (where w.failing_since is not null)::int as failing,
      coalesce(max(extract(epoch from now() - due.at)), 0)::float8 as seconds
    from webhooks w
    left join event_sequences s on s.provider = w.provider
    left join lateral (
      select min(d.next_try_at) as at from webhook_deliveries d
      where d.provider = w.provider and d.webhook_id = w.id and d.next_try_at <= now()
    ) due on true
    where w.status = 'active'`);
  behind.set(row?.behind ?? 0);
  failing.set(row?.failing ?? 0);
  oldest.set(row?.seconds ?? 0);
}
