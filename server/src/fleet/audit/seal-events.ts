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
// The window is read once for so many events.
const maxEventsAtOnce = 50_000;
const sealLock = 7_006;

/** Seals what was recorded since the last time, for every provider. Writers do not wait for it. */
export const sealEventsJob = job({
  name: 'seal-audit-events',
  key: () => 'all',
  cron: '* * * * *',
  // Each seal is a transaction of its own.
  transactional: false,
  run: (_payload: object, { db }: Dependencies) => sealEvents(db),
});

export async function sealEvents(db: Database): Promise<void> {
  const sealing = sealingOf(db);
  const listed = await (sealing.pending ? listUnsealedProviders(db) : listAuditedProviders(db));
  const pending = new Set([...(sealing.pending ?? []), ...listed]);
  sealing.pending = pending;
  const seal = async (provider: string) => {
    await sealProvider(db, provider);
    pending.delete(provider);
  };
  await runForEach([...pending], seal, 'Some events could not be sealed.');
}

/**
 * Those that are to be looked at, since it has failed for them, or the process ends before. At first a process looks at all:
 * nothing may have been sealed for long, and what was committed late meanwhile.
 */
const sealingOf = oncePerDatabase((): { pending?: Set<string> } => ({}));

/** Fewer at once where they are too large to be hashed in the time of a statement. */
function sealProvider(db: Database, provider: string): Promise<void> {
  return runInBatches(maxEventsAtOnce, (size) =>
    db.transaction((tx) => sealBatch(tx, provider, size)),
  );
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

/** Returns whether there is nothing left. */
async function sealBatch(tx: Queryable, provider: string, maxAtOnce: number): Promise<boolean> {
  const [lock] = await tx.query<{ acquired: boolean }>(
    'select pg_try_advisory_xact_lock($1, hashtext($2)) as acquired',
    [sealLock, provider],
  );
  // Another process seals them.
  if (!lock?.acquired) return true;
  const [row] = await tx.query<SealRow>(
    `select ${sealColumns} from audit_seals where provider = $1 order by number desc limit 1`,
    [provider],
  );
  let head = row && sealOf(row);
  await tx.query(`select set_config('work_mem', '64MB', true)`);
  const unsealed = await tx.query<UnsealedEvent>(selectUnsealed, [
    provider,
    head ? sealedUntil(head) : '-infinity',
    maxAtOnce,
  ]);
  for (const events of batchesOf(unsealed)) {
    head = nextSeal(provider, head, events);
    await tx.query(insertSeal, Object.values(head));
  }
  return unsealed.length < maxAtOnce;
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
  events: readonly [UnsealedEvent, ...UnsealedEvent[]],
): Seal {
  const content = {
    provider,
    number: (previous?.number ?? 0) + 1,
    sealedAt: new Date().toISOString(),
    eventIds: events.map(({ id }) => id),
    firstEventAt: events[0].occurred_at,
    lastEventAt: (events.at(-1) ?? events[0]).occurred_at,
    eventsHash: hashEvents(events.map(({ hash }) => hash)),
    previousHash: previous?.hash ?? noHash,
  };
  return { ...content, hash: hashSeal(content) };
}

/** Up to this time all events are sealed. Not later than the seal itself, whatever the times of events say. */
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

// Not by a join: no statistics know how many events the seals have, and to compare each with each takes longer than any
// statement may. A subquery is hashed, if it fits into the memory of one.
const selectUnsealed = `
  select e.id::text, e.occurred_at, ${eventHash} as hash from audit_events e
  where e.provider = $1 and e.occurred_at >= $2 and e.id not in (
    select unnest(event_ids) from audit_seals where provider = $1 and last_event_at >= $2
  )
  order by e.occurred_at, e.id limit $3`;

const insertSeal = `
  insert into audit_seals
    (provider, number, sealed_at, event_ids, first_event_at, last_event_at, events_hash, previous_hash, hash)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
