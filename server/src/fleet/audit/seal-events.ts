import type { Database, Queryable } from '../../platform/db/database.ts';
import { distinctProviders } from '../../platform/db/distinct-providers.ts';
import { oncePerDatabase } from '../../platform/db/once-per-database.ts';
import { runInBatches } from '../../platform/db/run-in-batches.ts';
import { job } from '../../platform/jobs/job.ts';
import { runForEach } from '../../platform/jobs/run-for-each.ts';
import type { Dependencies } from '../dependencies.ts';
import {
  eventHash,
  hashEvents,
  hashSeal,
  noHash,
  type Seal,
  type SealRow,
  sealColumns,
  sealOf,
} from './seal.ts';

/** Events are committed in another order than that of their times: this late at most. */
export const lookBackMs = 900_000;
const maxEvents = 5_000;
const pageSize = 50_000;
// Others come to their turn also while one writes faster than is sealed.
const turnMs = 10_000;
const sealLock = 7_006;

/** Seals what was recorded since the last time, for every provider. Writers do not wait for it. */
export const sealEventsJob = job({
  name: 'seal-audit-events',
  key: () => 'all',
  cron: '* * * * *',
  // Each page is a transaction of its own.
  transactional: false,
  run: (_payload: object, { db }: Dependencies) => sealEvents(db),
});

export async function sealEvents(db: Database, limits = { pageSize, turnMs }): Promise<void> {
  const sealing = sealingOf(db);
  const listed = await (sealing.pending ? listUnsealedProviders(db) : listAuditedProviders(db));
  sealing.pending ??= new Map();
  for (const provider of listed)
    if (!sealing.pending.has(provider)) sealing.pending.set(provider, undefined);
  const { pending } = sealing;
  const seal = (provider: string) => sealProvider(db, provider, pending, limits);
  await runForEach([...pending.keys()], seal, 'Some events could not be sealed.');
}

/** Where a pass over the events of a provider has come to, in the order of their times, with which seal, and how many it read at once. */
type Pass = { begunAt: string; after: Position; seal: number; size: number };
type Position = { occurredAt: string; id: string };
type Pending = Map<string, Pass | undefined>;

/**
 * Those that are to be looked at, since it has failed for them, their turn was over, or the process ends before. At first a
 * process looks at all: nothing may have been sealed for long, and what was committed late meanwhile.
 */
const sealingOf = oncePerDatabase((): { pending?: Pending } => ({}));

/** Fewer at once where they are too large to be hashed in the time of a statement. */
async function sealProvider(
  db: Database,
  provider: string,
  pending: Pending,
  limits: { pageSize: number; turnMs: number },
): Promise<void> {
  const { size: lastSize = limits.pageSize } = pending.get(provider) ?? {};
  let turnEndsAt: number | undefined;
  await runInBatches(Math.min(limits.pageSize, lastSize * 2), async (size) => {
    const pass = await db.transaction((tx) => sealPage(tx, provider, pending.get(provider), size));
    if (pass) pending.set(provider, pass);
    else pending.delete(provider);
    // Without the time of larger pages, which have met the timeout.
    turnEndsAt ??= Date.now() + limits.turnMs;
    return !pass || Date.now() >= turnEndsAt;
  });
}

/**
 * Those of which an event may be in no seal: it is later than all that are sealed, or was committed late. In a distributed
 * database, which does not look from one provider to the next, all that have events.
 */
async function listUnsealedProviders(db: Queryable): Promise<string[]> {
  const providers = distinctProviders(db, 'audit_events');
  const rows = await db.query<{ provider: string }>(
    db.isSharded
      ? `${providers} order by provider`
      : `select provider from ${providers} p,
           lateral (select max(occurred_at) as at from audit_events e where e.provider = p.provider) event,
           lateral (select max(last_event_at) as at from audit_seals s where s.provider = p.provider) seal
         where seal.at is null or event.at > least(seal.at, now() - make_interval(secs => ${(2 * lookBackMs) / 1_000}))
         order by provider`,
  );
  return rows.map(({ provider }) => provider);
}

/** Every provider that has events or seals, also one that was removed. */
export async function listAuditedProviders(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ provider: string }>(
    `${distinctProviders(db, 'audit_events')} union ${distinctProviders(db, 'audit_seals')} order by 1`,
  );
  return rows.map(({ provider }) => provider);
}

type UnsealedEvent = { id: string; occurred_at: string; hash: Buffer };

/** Returns undefined when the pass has come to its end. */
async function sealPage(
  tx: Queryable,
  provider: string,
  pass: Pass | undefined,
  size: number,
): Promise<Pass | undefined> {
  const [lock] = await tx.query<{ acquired: boolean }>(
    'select pg_try_advisory_xact_lock($1, hashtext($2)) as acquired',
    [sealLock, provider],
  );
  // Another process seals them.
  if (!lock?.acquired) return undefined;
  const [row] = await tx.query<SealRow>(
    `select ${sealColumns} from audit_seals where provider = $1 order by number desc limit 1`,
    [provider],
  );
  let head = row && sealOf(row);
  // Another process has sealed events since: this pass is over, as its seals would be older than those.
  const continued = pass?.seal === (head?.number ?? 0) ? pass : undefined;
  const { begunAt, after } = continued ?? {
    begunAt: new Date().toISOString(),
    after: { occurredAt: head ? sealedUntil(head).toISOString() : '-infinity', id: '0' },
  };
  const [last] = await tx.query<Position>(selectLastOfPage, [
    provider,
    after.occurredAt,
    after.id,
    size - 1,
  ]);
  const until = last ?? { occurredAt: 'infinity', id: '0' };
  // The planner cannot know how many events the seals have, and would compare each with each.
  await tx.queryUnprepared('set local enable_nestloop = off');
  const unsealed = await tx.query<UnsealedEvent>(selectUnsealed, [
    provider,
    after.occurredAt,
    after.id,
    until.occurredAt,
    until.id,
  ]);
  for (const events of batchesOf(unsealed)) {
    head = nextSeal(provider, head, begunAt, events);
    await tx.query(insertSeal, Object.values(head));
  }
  return last && { begunAt, after: last, seal: head?.number ?? 0, size };
}

/** Each within a month, as months are dropped as a whole. */
function* batchesOf(
  events: readonly UnsealedEvent[],
): Generator<[UnsealedEvent, ...UnsealedEvent[]]> {
  for (let from = 0; from < events.length; ) {
    const [first, ...more] = events.slice(from, from + maxEvents);
    if (!first) return;
    const month = monthOf(first);
    const end = more.findIndex((event) => monthOf(event) !== month);
    const batch: [UnsealedEvent, ...UnsealedEvent[]] = [
      first,
      ...(end < 0 ? more : more.slice(0, end)),
    ];
    yield batch;
    from += batch.length;
  }
}

function nextSeal(
  provider: string,
  previous: Seal | undefined,
  sealedAt: string,
  events: readonly [UnsealedEvent, ...UnsealedEvent[]],
): Seal {
  const content = {
    provider,
    number: (previous?.number ?? 0) + 1,
    sealedAt,
    eventIds: events.map(({ id }) => id),
    firstEventAt: events[0].occurred_at,
    lastEventAt: (events.at(-1) ?? events[0]).occurred_at,
    eventsHash: hashEvents(events.map(({ hash }) => hash)),
    previousHash: previous?.hash ?? noHash,
  };
  return { ...content, hash: hashSeal(content) };
}

/**
 * Up to this time all events are sealed. A pass that takes long has not seen what was committed since it began, which is when
 * its seals were made.
 */
export function sealedUntil({
  lastEventAt,
  sealedAt,
}: {
  lastEventAt: string;
  sealedAt: string;
}): Date {
  return new Date(Math.min(Date.parse(lastEventAt), Date.parse(sealedAt)) - lookBackMs);
}

function monthOf({ occurred_at }: UnsealedEvent): string {
  return occurred_at.slice(0, 7);
}

// Bounds of the time alone select partitions.
const isAfter = 'e.occurred_at >= $2 and (e.occurred_at, e.id) > ($2::timestamptz, $3::bigint)';

const selectLastOfPage = `
  select e.occurred_at as "occurredAt", e.id::text from audit_events e
  where e.provider = $1 and ${isAfter}
  order by e.occurred_at, e.id offset $4 limit 1`;

const selectUnsealed = `
  select e.id::text, e.occurred_at, ${eventHash} as hash from audit_events e
  where e.provider = $1 and ${isAfter}
    and e.occurred_at <= $4 and (e.occurred_at, e.id) <= ($4::timestamptz, $5::bigint)
    and not exists (
      select from (
        select unnest(event_ids) as id from audit_seals
        where provider = $1 and last_event_at >= $2 and first_event_at <= $4
      ) sealed
      where sealed.id = e.id
    )
  order by e.occurred_at, e.id`;

const insertSeal = `
  insert into audit_seals
    (provider, number, sealed_at, event_ids, first_event_at, last_event_at, events_hash, previous_hash, hash)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
