import type { Queryable } from '../db/database.ts';
import { ReadBudget } from '../db/read-budget.ts';
import { maxAnswerBytes } from '../http/large-json.ts';
import { Problem } from '../http/problem.ts';
import type { ParsedFilter } from '../search/parse-filter.ts';
import { searchSql } from '../search/search-sql.ts';
import type { Searchable } from '../search/searchable.ts';

/** An event of the log, without the record. */
export type LoggedEvent = {
  number: number;
  event_id: string;
  type: string;
  vehicle_id: string | null;
  record_id: string;
  occurred_at: string;
  erased: boolean;
};

export type LogPage = {
  events: LoggedEvent[];
  /** Up to this number all events have been looked at. */
  position: number;
  /** Whether there are numbers behind it. */
  hasMore: boolean;
};

/** The numbers that a reader can have been at: before the oldest event that is kept, up to the newest one. */
export type LogRange = { oldest: number; newest: number };

export async function readLogRange(db: Queryable, provider: string): Promise<LogRange> {
  const [row] = await db.query<LogRange>(selectRange, [provider]);
  return row ?? { oldest: 0, newest: 0 };
}

/** 410 for a position whose next event is no longer kept, or that this log never had. */
export function requireKept(position: number, { oldest, newest }: LogRange): void {
  if (position >= oldest && position <= newest) return;
  const detail =
    position < oldest
      ? `Events after ${position} are no longer kept; the oldest that is left comes after ${oldest}.`
      : `The log ends at ${newest}: ${position} is not of this log, which may have been restored from a backup.`;
  throw new Problem(410, 'cursor-expired', 'The cursor is no longer valid', {
    detail: `${detail} Read the records anew, and go on from the cursor "latest".`,
  });
}

const selectRange = `
  select s.last_number as newest, coalesce((
    select number - 1 from event_log where provider = $1 order by number limit 1
  ), s.last_number) as oldest
  from event_sequences s where s.provider = $1`;

/** A page looks at so many at most, so that filters that match few cost no more. */
const maxScanned = 10_000;

/** The events behind a position that match all filters, in the order of their numbers. */
export async function readLog(
  db: Queryable,
  provider: string,
  position: number,
  searchable: Searchable,
  filters: readonly ParsedFilter[],
  limit: number,
): Promise<LogPage> {
  const scope = { conditions: ['e.provider = $1'], values: [provider, position, maxScanned] };
  const { found, values, bind } = searchSql(searchable, scope, {
    text: '',
    mode: 'literal',
    filters,
    sorting: [],
  });
  const statement = `
    with scanned as materialized (
      select provider, number, event_id, type, vehicle_id, record_id, occurred_at, erased from event_log
      where provider = $1 and number > $2 order by number limit $3
    )
    select scan.*, page.* from (select max(number) as last, count(*) as count from scanned) scan
    left join lateral (
      select e.number, e.event_id, e.type, e.vehicle_id, e.record_id, e.occurred_at, e.erased from ${found}
      order by e.number limit ${bind(limit)}
    ) page on true`;
  const run = filters.length > 0 ? db.queryUnprepared : db.query;
  const rows = await run<Scan & (LoggedEvent | { number: null })>(
    statement,
    values,
    new ReadBudget(maxAnswerBytes, { inPieces: false }),
  );
  const events = rows.filter((row): row is Scan & LoggedEvent => row.number !== null);
  const last = rows[0]?.last ?? position;
  const isFull = events.length === limit;
  const end = isFull ? (events.at(-1)?.number ?? last) : last;
  return { events, position: end, hasMore: end < last || rows[0]?.count === maxScanned };
}

type Scan = { last: number | null; count: number };
