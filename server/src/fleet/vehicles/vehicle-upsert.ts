import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import type { VehicleRequest } from './vehicle.ts';
import { type Column, timeColumnOf, writtenColumns } from './vehicle-fields.ts';
import { storedItem, updatedItem } from './vehicle-item.ts';
import type { VehicleLine } from './vehicle-line.ts';
import { mergedImage, readDescriptions } from './written-image.ts';

/** Whether a field of this path is written to a vehicle that exists; to a new one, all are. */
type IsNamed = (path: string) => boolean;

export const imagePath = 'asset.defaultImage';
/** Follows from the image that is uploaded (`assets`), whatever a request says. */
export const uploadedPath = 'asset.blobUuid';

/** Other requests are served after so many: to find the drawing of a vehicle takes its time. */
const rowsOfTurn = 50;

const ofVehicle = writtenColumns('v').filter(({ path }) => path !== uploadedPath);
const ofStatus = writtenColumns('s');

/** Creates or overwrites vehicles; returns those that are new or changed. The others keep their versions. */
export async function upsertVehicles(
  db: Queryable,
  provider: ProviderRef,
  rows: readonly { id: string; source: VehicleRequest }[],
  now: Date,
  isNamed: IsNamed = () => true,
): Promise<{ id: string; created: boolean }[]> {
  const isWhole = ofVehicle.every(({ path }) => isNamed(path));
  const ids = rows.map(({ id }) => id);
  const present = isWhole ? undefined : await readDescriptions(db, provider.id, ids);
  const withDefaults: (typeof rows)[number][] = [];
  for (const { id, source } of rows) {
    const defaultImage = mergedImage(source, present?.get(id), isNamed);
    const active = source.asset?.active ?? true;
    withDefaults.push({
      id,
      source: { ...source, asset: { ...source.asset, defaultImage, active } },
    });
    if (withDefaults.length % rowsOfTurn === 0) await setImmediate();
  }
  const values = [provider.id, jsonOf(ofVehicle, withDefaults), now];
  return isWhole ? db.query(upsertWhole, values) : db.queryUnprepared(upsertNamed(isNamed), values);
}

const upsertWhole = upsertVehicle(
  ofVehicle,
  `case when present.blob_uuid is null then excluded.item else ${itemOf(() => true)} end`,
);

function upsertNamed(isNamed: IsNamed): string {
  const isWritten: IsNamed = (path) => path === imagePath || isNamed(path);
  return upsertVehicle(
    ofVehicle.filter(({ path }) => isWritten(path)),
    itemOf(isWritten),
  );
}

/** In SQL: the item after the conflict. */
function itemOf(isWritten: IsNamed): string {
  return updatedItem(({ path }) =>
    path !== uploadedPath && isWritten(path) ? 'excluded' : 'present',
  );
}

/** In SQL; returns no row for a vehicle that exists and does not change. */
function upsertVehicle(changed: readonly Column[], item: string): string {
  const changes = [
    ...changed.map(({ name }) => `${name} = excluded.${name}`),
    `item = ${item}`,
    'version = present.version + 1',
    'updated_at = excluded.updated_at',
  ];
  return `
    insert into vehicles as present (provider, id, ${namesOf(ofVehicle)}, created_at, updated_at, item)
    select v.*, $3::timestamptz, $3::timestamptz, ${storedItem((field) => (field.path === uploadedPath ? 'none' : 'v'))}
    from (select $1::text as provider, row.* from ${rowsOf(ofVehicle)}) v, (select null::uuid as blob_uuid) none
    on conflict (provider, id) do update set ${changes.join(', ')}
    where present.item <> ${item}
    returning present.id, (present.xmax = 0) as created`;
}

/**
 * Writes the named fields of statuses. What was measured after the `lastUpdated` of its line stays: docs/decisions/0034-plausible-telemetry.md.
 */
export async function upsertStatuses(
  db: Queryable,
  provider: ProviderRef,
  rows: readonly { id: string; source: VehicleLine }[],
  isNamed: IsNamed,
): Promise<void> {
  const columns = ofStatus.filter(({ path }) => isNamed(path));
  if (columns.length === 0) return;
  const derived = [...timesOf(columns), ...nextServiceOf(columns)];
  const changes = [
    ...columns.map(({ name }) => `${name} = ${writtenValue(name)}`),
    ...derived.map(({ name, change }) => `${name} = ${change}`),
  ];
  await db.queryUnprepared(
    `insert into vehicle_statuses as present (provider, vehicle_id, ${namesOf([...columns, ...derived])})
     select ${['$1', 'row.*', ...derived.map(({ value }) => value)].join(', ')}
     from ${rowsOf(columns)}
     on conflict (provider, vehicle_id) do update set ${changes.join(', ')}`,
    [provider.id, jsonOf(columns, rows)],
  );
}

/**
 * In SQL: whether the value of a column stays, as it was measured after the time of the line. A line without a time that leaves
 * it empty may be of an export from before it was measured.
 */
export function isKept(
  name: string,
  line = 'excluded',
  isEmpty = `${line}.${name} is null`,
): string {
  const time = `present.${timeColumnOf(name)}`;
  return `(${time} > ${line}.last_updated
    or ${time} is not null and ${line}.last_updated is null and ${isEmpty})`;
}

/** In SQL: the value of a column after the conflict. */
function writtenValue(name: string): string {
  if (name === 'last_updated') return 'greatest(present.last_updated, excluded.last_updated)';
  return `case when ${isKept(name)} then present.${name} else excluded.${name} end`;
}

/** A column that follows from those of the line: in SQL, its value in a new row and after a conflict. */
type Derived = { name: string; value: string; change: string };

/**
 * All signals of a line were measured at one time; without it, any message is newer. The times of signals that are not
 * written stay, and those of values that do not change, unless the line is newer than all that is known.
 */
function timesOf(columns: readonly Column[]): Derived[] {
  const hasTime = columns.some(({ name }) => name === 'last_updated');
  const isOld = '(excluded.last_updated is null or excluded.last_updated <= present.last_updated)';
  return columns
    .filter(({ name }) => name !== 'last_updated' && name !== 'lng')
    .map((column) => {
      const name = timeColumnOf(column.name);
      const isSame = (column.name === 'lat' ? ['lat', 'lng'] : [column.name])
        .map((one) => `present.${one} is not distinct from excluded.${one}`)
        .join(' and ');
      const stays = `${isKept(column.name)} or ${isOld} and ${isSame}`;
      return {
        name,
        value: hasTime
          ? `case when row.${column.name} is not null then row.last_updated end`
          : 'null',
        change: `case when ${stays} then present.${name} else excluded.${name} end`,
      };
    });
}

/**
 * The odometer at which the next service is due, by that of the line or else by the one that is known. It stays where its distance
 * is not written, and where neither that nor the odometer changes: the distance may be of an earlier one.
 */
function nextServiceOf(columns: readonly Column[]): Derived[] {
  const isNamed = (column: string) => columns.some(({ name }) => name === column);
  if (!isNamed('next_service_distance')) return [];
  const name = 'next_service_odometer';
  const isSame = `present.next_service_distance = excluded.next_service_distance
    and (excluded.odometer is null or present.odometer = excluded.odometer or ${isKept('odometer')})`;
  return [
    {
      name,
      value: isNamed('odometer') ? 'row.odometer + row.next_service_distance' : 'null',
      change: `case when ${isKept('next_service_distance')} or ${isSame} then present.${name}
        else coalesce(excluded.odometer, present.odometer) + excluded.next_service_distance end`,
    },
  ];
}

function namesOf(columns: readonly { name: string }[]): string {
  return columns.map(({ name }) => name).join(', ');
}

/** In SQL: any number of rows from one JSON array. */
export function rowsOf(columns: readonly Column[]): string {
  const typed = columns.map(({ name, type }) => `${name} ${type}`);
  return `jsonb_to_recordset($2::jsonb) as row (${['id text', ...typed].join(', ')})`;
}

export function jsonOf(
  columns: readonly Column[],
  rows: readonly { id: string; source: object }[],
): string {
  const values = rows.map(({ id, source }) => ({
    id,
    ...Object.fromEntries(
      columns.map(({ name, path, type }) => [name, storedValue(valueAt(source, path), type)]),
    ),
  }));
  return JSON.stringify(values);
}

export function storedValue(value: unknown, type: string): unknown {
  return type === 'timestamptz' && typeof value === 'string' ? toMilliseconds(value) : value;
}

export function valueAt(source: unknown, path: string): unknown {
  let value = source;
  for (const name of path.split('.'))
    value = (value as Record<string, unknown> | undefined)?.[name];
  return value;
}
