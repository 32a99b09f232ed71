import { secretName } from '../../auth/sealed-secrets.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { Outcome } from '../../platform/webhooks/post-webhook.ts';
import { nextTry, retryPeriodMs } from '../../platform/webhooks/retry-schedule.ts';

/** A webhook that this process delivers to, for as long as it has leased it. */
export type LeasedWebhook = {
  provider: string;
  id: string;
  url: string;
  version: number;
  isFailing: boolean;
  sealed_secret: string;
  previous_sealed_secret: string | null;
};

/** How many a process delivers to at a time: so many of each provider, and of all of them so many more. */
export type WebhooksAtOnce = { ofProvider: number; shared: number };

export type DueDelivery = {
  number: number;
  event_id: string;
  type: string;
  vehicle_id: string | null;
  tries: number;
  first_tried_at: string | null;
};

/** Longer than a process delivers before it leases again: so long is the pause when it is killed. */
const leaseSeconds = 60;
/**
 * Of a webhook that has something waiting of which nothing can be sent: all that may wait does, or all that is due is
 * behind earlier events of its vehicles. To find that out for every look is more work than such a turn now and then.
 */
const restSeconds = 5;
/** Events that wait at one webhook: what is behind them stays in the log. */
export const maxPending = 1_000;
const maxDue = 100;
/** Of one look for them; the rest by the next. */
const maxLeased = 1_000;
/** While an earlier event of the vehicle has failed so few times, later ones wait for it. */
const triesInOrder = 3;

/** The providers that have events without numbers, and webhooks to deliver them to. */
export async function providersToNumber(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ provider: string }>(
    `select w.provider from webhooks w
     where w.status = 'active' and exists (select from event_outbox o where o.provider = w.provider)
     group by w.provider`,
  );
  return rows.map(({ provider }) => provider);
}

/**
 * Leases webhooks that have something to deliver, one by one: another process may have been first. Those of a disabled
 * provider wait, as its log does, until it is enabled.
 */
export async function* leaseWebhooks(
  db: Queryable,
  { ofProvider, shared }: WebhooksAtOnce,
  /** The providers of those that are leased already, each as often as it has one. */
  running: readonly string[],
): AsyncGenerator<LeasedWebhook> {
  const counts = new Map<string, number>();
  for (const provider of running) counts.set(provider, (counts.get(provider) ?? 0) + 1);
  let free = shared;
  for (const count of counts.values()) free -= Math.max(0, count - ofProvider);
  const due = await db.query<{ provider: string; id: string; isShared: boolean }>(selectUnleased, [
    JSON.stringify(Object.fromEntries(counts)),
    ofProvider,
    maxLeased,
  ]);
  for (const { provider, id, isShared } of due) {
    if (isShared && free <= 0) return;
    const leased = await db.query<LeasedWebhook>(lease, [provider, id, leaseSeconds, new Date()]);
    if (isShared) free -= leased.length;
    yield* leased;
  }
}

export function secretsOf(db: Queryable, webhook: LeasedWebhook): string[] {
  const name = secretName('webhooks', webhook.provider, webhook.id);
  const sealed = [webhook.sealed_secret, webhook.previous_sealed_secret];
  return sealed.flatMap((one) => (one === null ? [] : [db.secrets.open(name, one)]));
}

const isUnleased = `w.status = 'active' and (w.leased_until is null or w.leased_until < now())`;

const selectUnleased = `
  select w.provider, w.id,
    coalesce(($1::jsonb ->> w.provider)::int, 0)
      + row_number() over (partition by w.provider order by w.leased_until nulls first) > $2 as "isShared"
  from webhooks w join providers p on p.id = w.provider
  where p.disabled_at is null and ${isUnleased} and (
    exists (select from event_sequences s where s.provider = w.provider and s.last_number > w.position)
    or exists (
      select from webhook_deliveries d where d.provider = w.provider and d.webhook_id = w.id and d.next_try_at <= now()
    ))
  order by "isShared", w.leased_until nulls first limit $3`;

// One that its provider keeps locked is passed over: all others would wait for it.
const lease = `
  with free as materialized (
    select w.id from webhooks w where w.provider = $1 and w.id = $2 and ${isUnleased}
    for no key update skip locked
  )
  update webhooks w set leased_until = now() + make_interval(secs => $3)
  from free where w.provider = $1 and w.id = free.id
  returning w.provider, w.id, w.url, w.version, w.failing_since is not null as "isFailing", w.sealed_secret,
    case when w.previous_expires_at > $4 then w.previous_sealed_secret end as previous_sealed_secret`;

/**
 * Undefined where the webhook may not be sent to as it was leased: it may have been changed, disabled or deleted since. Otherwise whether the
 * event has been erased by now.
 */
export async function checkBeforeTry(
  db: Queryable,
  { provider, id, version }: LeasedWebhook,
  { number }: DueDelivery,
): Promise<{ isErased: boolean } | undefined> {
  const [checked] = await db.query<{ isErased: boolean }>(selectBeforeTry, [
    provider,
    id,
    version,
    number,
  ]);
  return checked;
}

const selectBeforeTry = `
  select exists (select from event_log e where e.provider = $1 and e.number = $4 and e.erased) as "isErased"
  from webhooks w join providers p on p.id = w.provider
  where w.provider = $1 and w.id = $2 and w.version = $3 and w.status = 'active' and p.disabled_at is null`;

/** What was leased last is served last. A rest ends early when a next try is due. */
export async function releaseWebhook(
  db: Queryable,
  { provider, id }: LeasedWebhook,
  { rests }: { rests: boolean },
) {
  await db.query(release, [provider, id, rests ? restSeconds : 0]);
}

const release = `
  update webhooks set leased_until = least(now() + make_interval(secs => $3), (
    select min(d.next_try_at) from webhook_deliveries d
    where d.provider = $1 and d.webhook_id = $2 and d.next_try_at > now()
  ))
  where provider = $1 and id = $2`;

/** Schedules the next events, and returns the deliveries that are due, in the order of the log. */
export async function takeDue(
  db: Database,
  { provider, id }: LeasedWebhook,
): Promise<{ due: DueDelivery[]; hasMoved: boolean }> {
  const moved = await db.query(scheduleEvents, [provider, id, maxPending]);
  const due = await db.query<DueDelivery>(selectDue, [provider, id, maxDue]);
  return { due, hasMoved: moved.length > 0 };
}

// As many events of the log are passed over as are looked at, and of those for the webhook as many are taken as may wait yet:
// one that waits for its receiver would otherwise go through the events of others one by one.
const scheduleEvents = `
  with webhook as (
    select position, types from webhooks where provider = $1 and id = $2
  ), pending as (
    select count(*) as count from webhook_deliveries where provider = $1 and webhook_id = $2 and next_try_at is not null
  ), seen as (
    select e.number, e.event_id, e.type, e.vehicle_id, w.types = '{}' or e.type = any(w.types) as is_wanted
    from event_log e, webhook w
    where e.provider = $1 and e.number > w.position
    order by e.number limit $3
  ), counted as (
    select *, count(*) filter (where is_wanted) over (order by number) as wanted from seen
  ), next as (
    select * from counted where wanted <= $3 - (select count from pending)
  ), scheduled as (
    insert into webhook_deliveries (provider, webhook_id, number, event_id, type, vehicle_id)
    select $1, $2, number, event_id, type, vehicle_id from next where is_wanted
    on conflict do nothing
  )
  update webhooks set position = (select max(number) from next)
  where provider = $1 and id = $2 and exists (select from next)
  returning 1`;

const selectDue = `
  select d.number, d.event_id, d.type, d.vehicle_id, d.tries, d.first_tried_at from webhook_deliveries d
  where d.provider = $1 and d.webhook_id = $2 and d.next_try_at <= now() and not exists (
    select from webhook_deliveries earlier
    where earlier.provider = $1 and earlier.webhook_id = $2 and earlier.vehicle_id = d.vehicle_id
      and earlier.number < d.number and earlier.next_try_at > now() and earlier.tries <= ${triesInOrder}
  )
  order by d.number limit $3`;

const isAccepted = ({ status }: Outcome) => status !== undefined && status >= 200 && status < 300;

const gone = 410;

/** Records what came of a try. Returns whether later events of the vehicle have to wait for the next one. */
export async function recordTry(
  db: Database,
  webhook: LeasedWebhook,
  delivery: DueDelivery,
  outcome: Outcome,
): Promise<{ blocksVehicle: boolean }> {
  const key = [webhook.provider, webhook.id, delivery.number];
  const answer = [outcome.status ?? null, outcome.error?.slice(0, 500) ?? null];
  const now = new Date();
  if (isAccepted(outcome)) {
    await db.transaction(async (tx) => {
      await tx.query(updateDelivery, [...key, 'delivered', null, ...answer, now]);
      if (webhook.isFailing) await tx.query(endFailure, [webhook.provider, webhook.id]);
    });
    webhook.isFailing = false;
    return { blocksVehicle: false };
  }
  const firstTriedAt = Date.parse(delivery.first_tried_at ?? now.toISOString());
  const tries = delivery.tries + 1;
  const next = nextTry(tries, now);
  const isOver = next.getTime() - firstTriedAt > retryPeriodMs || outcome.status === gone;
  await db.transaction(async (tx) => {
    const status = isOver ? 'failed' : 'pending';
    await tx.query(updateDelivery, [...key, status, isOver ? null : next, ...answer, now]);
    await tx.query(beginFailure, [webhook.provider, webhook.id, now, webhook.url]);
    if (outcome.status === gone)
      await tx.query(deactivate, [webhook.provider, webhook.id, 'ended', goneReason, now]);
    else if (isOver) {
      const last = outcome.error ?? `the receiver answered ${outcome.status}`;
      const reason = `Nothing was delivered for three days; last, ${last}.`;
      const since = new Date(now.getTime() - retryPeriodMs);
      await tx.query(deactivate, [webhook.provider, webhook.id, 'paused', reason, since]);
    }
  });
  webhook.isFailing = true;
  return { blocksVehicle: !isOver && tries <= triesInOrder };
}

const goneReason = 'The receiver answered 410.';

const updateDelivery = `
  update webhook_deliveries
  set status = $4, next_try_at = $5, answer_status = $6, error = $7, tries = tries + 1, last_tried_at = $8,
    first_tried_at = coalesce(first_tried_at, $8)
  where provider = $1 and webhook_id = $2 and number = $3`;

const endFailure = 'update webhooks set failing_since = null where provider = $1 and id = $2';
// Not of a receiver that the webhook has no more.
const beginFailure = `
  update webhooks set failing_since = $3
  where provider = $1 and id = $2 and url = $4 and failing_since is null`;

const deactivate = `
  update webhooks set status = $3, status_reason = $4, version = version + 1, updated_at = now()
  where provider = $1 and id = $2 and status = 'active' and failing_since <= $5`;
