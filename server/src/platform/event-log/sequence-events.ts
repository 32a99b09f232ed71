import type { Database } from '../db/database.ts';
import { distinctProviders } from '../db/distinct-providers.ts';
import { runInBatches } from '../db/run-in-batches.ts';

/** So many are numbered in one transaction, unless they are large. */
const batchSize = 2_000;

/**
 * Gives the committed events of a provider that have none the next numbers. Whoever reads the log calls it first, in any
 * process: it needs no leader, and what is interrupted is done again (docs/decisions/0050-events.md).
 */
export async function sequenceEvents(
  db: Database,
  provider: string,
  maxBatches = Number.POSITIVE_INFINITY,
): Promise<void> {
  let batches = 0;
  let isLocked = false;
  const numberBatch = async (size: number) => {
    isLocked = false;
    const pending = await db.query(
      'select 1 from event_outbox where provider = $1 and transaction is null limit 1',
      [provider],
    );
    if (pending.length === 0) return true;
    const isDone = await db.transaction(async (tx) => {
      const [row] = await tx.query<{ last_number: number }>(lockSequence, [provider]);
      isLocked = true;
      // A statement of its own: it sees what was committed until the lock was taken.
      const moved = await tx.query(moveToLog, [provider, row?.last_number, size]);
      return moved.length < size;
    });
    batches += 1;
    return isDone || batches >= maxBatches;
  };
  // Whoever waits for the lock waits as long for fewer.
  await runInBatches(batchSize, numberBatch, () => isLocked);
}

/** The providers that have events without numbers. */
export async function listPendingProviders(db: Database): Promise<string[]> {
  const rows = await db.query<{ provider: string }>(
    `${distinctProviders(db, 'event_outbox')} order by provider`,
  );
  return rows.map(({ provider }) => provider);
}

// The update makes the statement lock and return a row that is there.
export const lockSequence = `
  insert into event_sequences as s (provider) values ($1)
  on conflict (provider) do update set last_number = s.last_number
  returning last_number`;

const columns = 'event_id, type, vehicle_id, record_id, occurred_at, before, after';

const moveToLog = `
  with moved as (
    delete from event_outbox o where o.provider = $1 and o.id in (
      select id from event_outbox where provider = $1 and transaction is null order by id limit $3
    ) returning *
  ), logged as (
    insert into event_log (provider, number, ${columns}, erased)
    select provider, $2::bigint + row_number() over (order by id), ${columns}, before is null and after is null
    from moved
  ), counted as (
    update event_sequences set last_number = $2::bigint + (select count(*) from moved) where provider = $1
  )
  select 1 from moved`;
