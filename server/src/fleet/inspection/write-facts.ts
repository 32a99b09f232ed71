import type { Queryable } from '../../platform/db/database.ts';
import { type Field, fieldsOf } from '../../platform/search/field.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { InspectionRequest } from './inspection.ts';

/** What a line of an import may say of the inspection: its columns, and those of the table. */
export const inspectionFactFields: readonly Field[] = fieldsOf({
  'inspection.lastInspectionDate': ['date', 'passed_on'],
  'inspection.country': ['text', 'country'],
  'inspection.usage': ['text', 'usage'],
  'inspection.fuel': ['text', 'fuel'],
  'inspection.vehicleClass': ['text', 'vehicle_class'],
});

export type FactsLine = { vehicleId: string; facts: InspectionRequest };

/**
 * Records the named facts of vehicles, which exist; the others stay. Estimates follow from the change of the vehicles. Returns
 * how many vehicles lose a fact, by the path of its column.
 */
export async function writeInspectionFacts(
  { tx, clock }: { tx: Queryable; clock: Clock },
  providerId: string,
  lines: readonly FactsLine[],
  paths: readonly string[],
): Promise<Record<string, number>> {
  const named = inspectionFactFields.filter(({ path }) => paths.includes(path));
  if (named.length === 0) return {};
  const columns = named.map(({ column }) => column);
  const rows = lines
    .map(({ vehicleId, facts }) => ({ vehicle_id: vehicleId, ...rowOf(facts) }))
    .sort((a, b) => (a.vehicle_id < b.vehicle_id ? -1 : 1));
  const json = JSON.stringify(rows);
  const cleared = await countCleared(tx, providerId, json, named);
  await tx.queryUnprepared(upsertFacts(columns), [providerId, json, clock.now()]);
  return cleared;
}

async function countCleared(
  tx: Queryable,
  providerId: string,
  rows: string,
  named: readonly Field[],
): Promise<Record<string, number>> {
  const counts = named.map(
    ({ path, column }) =>
      `(count(*) filter (where row.${column} is null and i.${column} is not null))::int as "${path}"`,
  );
  const [cleared = {}] = await tx.queryUnprepared<Record<string, number>>(
    `select ${counts.join(', ')}
     from jsonb_populate_recordset(null::inspections, $2::jsonb) row
     cross join lateral (
       select ${named.map(({ column }) => column).join(', ')} from inspections
       where provider = $1 and vehicle_id = row.vehicle_id limit 1
     ) i`,
    [providerId, rows],
  );
  return cleared;
}

function rowOf({ lastInspectionDate, country, usage, fuel, vehicleClass }: InspectionRequest) {
  return { passed_on: lastInspectionDate, country, usage, fuel, vehicle_class: vehicleClass };
}

function upsertFacts(columns: readonly string[]): string {
  const changes = columns.map((name) => `${name} = excluded.${name}`);
  // What the previous release recorded instead of the class.
  if (columns.includes('vehicle_class')) changes.push('category = null');
  return `
    insert into inspections as i
      (provider, vehicle_id, version, created_at, updated_at, ${columns.join(', ')})
    select $1, row.vehicle_id, 1, $3::timestamptz, $3::timestamptz, ${columns.map((name) => `row.${name}`).join(', ')}
    from jsonb_populate_recordset(null::inspections, $2::jsonb) row
    on conflict (provider, vehicle_id) do update set
      version = i.version + 1, updated_at = excluded.updated_at, ${changes.join(', ')}
    where (${columns.map((name) => `i.${name}`).join(', ')})
      is distinct from (${columns.map((name) => `excluded.${name}`).join(', ')})`;
}
