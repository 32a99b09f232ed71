import type { Queryable } from '../../platform/db/database.ts';
import { type Column, writtenColumns } from './vehicle-fields.ts';
import type { VehicleLine } from './vehicle-line.ts';
import { imagePath, isKept, storedValue, uploadedPath, valueAt } from './vehicle-upsert.ts';

/** How many vehicles lose a stored value, by the path of the field. */
export type ClearedCounts = Record<string, number>;

/** Lines of which the same fields are written. */
type LinesOfPaths = { lines: readonly VehicleLine[]; paths: readonly string[] };

const timePath = 'status.lastUpdated';
const ofVehicle = writtenColumns('v').filter(({ path }) => path !== uploadedPath);
const ofStatus = writtenColumns('s').filter(({ path }) => path !== timePath);
const clearable = [...ofVehicle, ...ofStatus];

/**
 * Counts what vehicles that exist would lose by a write of these lines (`writeVehicles`): the stored values that empty fields
 * clear, and the vehicles that are not tracked any more, whose positions are erased.
 */
export async function countCleared(
  db: Queryable,
  providerId: string,
  writes: readonly LinesOfPaths[],
): Promise<{ cleared: ClearedCounts; positionTrackingDisabled: number }> {
  const rows = writes.flatMap(({ lines, paths }) => {
    const named = clearable.filter(({ path }) => paths.includes(path));
    return lines.map((line) => ({
      line,
      empty: named.filter(({ path }) => valueAt(line, path) === undefined),
    }));
  });
  const losing = rows.filter(({ line, empty }) => empty.length > 0 || isUntracked(line));
  if (losing.length === 0) return { cleared: {}, positionTrackingDisabled: 0 };
  const emptied = new Set(losing.flatMap(({ empty }) => empty));
  const json = losing.map(({ line, empty }) => ({
    id: line.asset.id,
    last_updated: storedValue(line.status.lastUpdated, 'timestamptz'),
    untracked: isUntracked(line),
    ...Object.fromEntries(empty.map(({ name }) => [name, true])),
  }));
  const [counts] = await db.queryUnprepared<ClearedCounts>(
    countLosses(clearable.filter((column) => emptied.has(column))),
    [providerId, JSON.stringify(json)],
  );
  const { positionTrackingDisabled = 0, ...cleared } = counts ?? {};
  return { cleared, positionTrackingDisabled };
}

function isUntracked({ information }: VehicleLine): boolean {
  return information.trackGeolocation === false;
}

/** In SQL. Lateral lookups with a limit, as those of a write (`vehicle-store.ts`). */
function countLosses(columns: readonly Column[]): string {
  const flags = ['untracked', ...columns.map(({ name }) => name)].map((name) => `${name} boolean`);
  const counts = columns.map(
    (column) =>
      `(count(*) filter (where row.${column.name} and ${isStored(column)}))::int as "${column.path}"`,
  );
  return `
    select ${[...counts, untrackedCount].join(', ')}
    from jsonb_to_recordset($2::jsonb) as row (id text, last_updated timestamptz, ${flags.join(', ')})
    cross join lateral (select * from vehicles where provider = $1 and id = row.id limit 1) v
    left join lateral (
      select * from vehicle_statuses where provider = $1 and vehicle_id = row.id limit 1
    ) present on true`;
}

const untrackedCount = `
  (count(*) filter (where row.untracked and v.track_geolocation is distinct from false))::int
    as "positionTrackingDisabled"`;

/** In SQL: whether a vehicle has a value that an empty field clears. The drawing that stands in for an image is none. */
function isStored(column: Column): string {
  const { name, path } = column;
  if (path === imagePath) return `v.${name} ~* '^https?:'`;
  if (ofVehicle.includes(column)) return `v.${name} is not null`;
  return `present.${name} is not null and ${isKept(name, 'row', `row.${name}`)} is not true`;
}
