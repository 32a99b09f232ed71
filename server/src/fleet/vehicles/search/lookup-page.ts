import type { Lookup } from '../../../platform/db/lookup-batcher.ts';
import type { VehicleSearch } from './vehicle-search.ts';

const maxBatchedRows = 100;

/** The row of a page. A large one shares no statement, which would have all of them in memory at a time. */
export async function lookupPage<Row extends object>(
  { db, request }: Pick<VehicleSearch, 'db' | 'request'>,
  lookup: Lookup,
  values: readonly unknown[],
): Promise<Row | undefined> {
  if (request.page.pageSize <= maxBatchedRows) return db.lookup<Row>(lookup, values);
  const [row] = await db.query<Row>(lookup.text, values);
  return row;
}
