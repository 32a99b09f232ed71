import type { Queryable } from '../../platform/db/database.ts';
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
import { sealedUntil } from './seal-events.ts';

export type Verification = {
  provider: string;
  seals: number;
  /** Events that are sealed and there. */
  events: number;
  /** Sealed events whose months were dropped. */
  expired: number;
  /** Events that the next seal will include. */
  unsealed: number;
  /** The hash of the last seal; empty without one. */
  head: string;
  issues: string[];
};

type Options = {
  /** Events from before may have been dropped. */
  keptFrom: Date;
  /** A head that was kept elsewhere, and must be in the chain. */
  expected?: string;
};

const sealsAtOnce = 200;
const maxIssues = 100;

/** Recomputes the chain of a provider, in a transaction: what is altered, missing or added behind shows as an issue. */
export async function verifyChain(
  tx: Queryable,
  provider: string,
  { keptFrom, expected }: Options,
): Promise<Verification> {
  const result: Verification = {
    provider,
    seals: 0,
    events: 0,
    expired: 0,
    unsealed: 0,
    head: '',
    issues: [],
  };
  const report = (issue: string) => {
    if (result.issues.length < maxIssues) result.issues.push(issue);
  };
  // The planner cannot know how many events the seals have, and would compare each with each.
  await tx.queryUnprepared('set local enable_nestloop = off');
  let previous: Seal | undefined;
  // Of all seals: the last alone may be made to be of a time long ago.
  let sealedUntilMs = Number.NEGATIVE_INFINITY;
  let hasExpected = false;
  for await (const seal of readSeals(tx, provider)) {
    for (const issue of sealIssues(seal, previous, sealedUntilMs)) report(issue);
    const { found, added } = await eventsOf(tx, seal);
    if (added.length > 0)
      report(`seal ${seal.number}: events were added under its ids: ${shown(added)}`);
    const missing = seal.eventIds.filter((id) => !found.has(id));
    if (
      missing.length === seal.eventIds.length &&
      Date.parse(seal.lastEventAt) < keptFrom.getTime()
    )
      result.expired += missing.length;
    else {
      result.events += found.size;
      const hashes = seal.eventIds.flatMap((id) => found.get(id) ?? []);
      if (missing.length > 0) report(`seal ${seal.number}: events are missing: ${shown(missing)}`);
      else if (!hashEvents(hashes).equals(seal.eventsHash))
        report(
          `seal ${seal.number}: an event was altered, among ${seal.eventIds.length} from ${seal.firstEventAt} to ${seal.lastEventAt}`,
        );
    }
    result.seals += 1;
    result.head = seal.hash.toString('hex');
    if (result.head === expected) hasExpected = true;
    previous = seal;
    sealedUntilMs = Math.max(sealedUntilMs, sealedUntil(seal).getTime());
  }
  if (expected !== undefined && !hasExpected)
    report(`no seal has the kept hash ${expected}: seals were removed at the end, or all replaced`);
  const [unsealed] = await tx.query<{ late: string[]; recent: number }>(selectUnsealed, [
    provider,
    previous ? new Date(sealedUntilMs) : '-infinity',
  ]);
  result.unsealed = unsealed?.recent ?? 0;
  if (unsealed && unsealed.late.length > 0)
    report(`events were added behind the seals: ${shown(unsealed.late)}`);
  return result;
}

function sealIssues(seal: Seal, previous: Seal | undefined, sealedUntilMs: number): string[] {
  const issues: string[] = [];
  const expectedNumber = (previous?.number ?? 0) + 1;
  if (seal.number !== expectedNumber)
    issues.push(`seals ${expectedNumber} to ${seal.number - 1} are missing`);
  else if (!seal.previousHash.equals(previous?.hash ?? noHash))
    issues.push(`seal ${seal.number} does not continue the one before it`);
  if (seal.eventIds.length === 0) issues.push(`seal ${seal.number} has no events`);
  // Whatever commits in time is in an earlier one.
  else if (Date.parse(seal.firstEventAt) < sealedUntilMs)
    issues.push(`seal ${seal.number} has events that were added behind those before it`);
  if (!hashSeal(seal).equals(seal.hash)) issues.push(`seal ${seal.number} was altered`);
  return issues;
}

async function* readSeals(tx: Queryable, provider: string): AsyncGenerator<Seal> {
  for (let after = 0; ; ) {
    const rows = await tx.query<SealRow>(
      `select ${sealColumns} from audit_seals where provider = $1 and number > $2 order by number limit $3`,
      [provider, after, sealsAtOnce],
    );
    yield* rows.map(sealOf);
    if (rows.length < sealsAtOnce) return;
    after = rows.at(-1)?.number ?? 0;
  }
}

/** The hashes of the events that are there, by id, and the ids that several events have. */
async function eventsOf(
  tx: Queryable,
  seal: Seal,
): Promise<{ found: Map<string, Buffer>; added: string[] }> {
  const { provider, firstEventAt, lastEventAt, eventIds } = seal;
  const rows = await tx.query<{ id: string; hash: Buffer }>(selectEvents, [
    provider,
    firstEventAt,
    lastEventAt,
    eventIds,
  ]);
  const found = new Map<string, Buffer>();
  const added: string[] = [];
  for (const { id, hash } of rows) {
    if (found.has(id)) added.push(id);
    found.set(id, hash);
  }
  return { found, added };
}

function shown(ids: readonly string[]): string {
  const first = ids.slice(0, 10).join(', ');
  return ids.length > 10 ? `${first} and ${ids.length - 10} more` : first;
}

const selectEvents = `
  select e.id::text, ${eventHash} as hash from audit_events e
  where e.provider = $1 and e.occurred_at between $2 and $3 and e.id = any($4::bigint[])`;

// The key of an event includes its time: another one can have the id of a sealed one.
const selectUnsealed = `
  select coalesce(array_agg(e.id::text order by e.id) filter (where e.occurred_at < $2), '{}') as late,
    count(*) filter (where e.occurred_at >= $2) as recent
  from audit_events e
  where e.provider = $1 and not exists (
    select from (
      select unnest(event_ids) as id, first_event_at, last_event_at from audit_seals where provider = $1
    ) sealed
    where sealed.id = e.id and e.occurred_at between sealed.first_event_at and sealed.last_event_at
  )`;
