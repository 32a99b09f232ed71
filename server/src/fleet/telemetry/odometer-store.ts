import { columnArray, instantArray, textArray } from '../../platform/db/binary-arrays.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { millisecondsOf } from '../../platform/time/instant.ts';
import type { Confirmed, OdometerReading, OdometerState } from './odometer-doubt.ts';

/** A reading as it is stored. */
export type StoredReading = OdometerReading & { confirmed: Confirmed };

type Key = { vehicleId: string; time: number };

/** What the history has before a time. */
export type StoredState = Omit<OdometerState, 'doubted'> & { doubted?: StoredReading };

/** The odometers of a history. */
export type OdometerStore = {
  /** What readings from these times on are judged by, in their order. */
  readStates(keys: readonly Key[]): Promise<StoredState[]>;
  /** The readings from these times on, as many as given, in the order of the keys and of time. */
  readFrom(keys: readonly Key[], count: number): Promise<StoredReading[][]>;
  mark(marks: readonly OdometerMark[]): Promise<void>;
};

export function odometerStore(tx: Queryable, providerId: string): OdometerStore {
  return {
    readStates: (keys) => readOdometerStates(tx, providerId, keys),
    readFrom: (keys, count) => readOdometers(tx, providerId, keys, count),
    mark: (marks) => markOdometers(tx, providerId, marks),
  };
}

async function readOdometerStates(
  tx: Queryable,
  providerId: string,
  keys: readonly Key[],
): Promise<StoredState[]> {
  const rows = await tx.query<StateRow>(selectStates, valuesOf(providerId, keys));
  return rows.map(stateOf);
}

type StateRow = {
  undoubted_ms: number | null;
  undoubted_odometer: number;
  last_ms: number | null;
  last_odometer: number;
  last_confirmed: Confirmed;
};

function stateOf(row: StateRow): StoredState {
  const { undoubted_ms, last_ms } = row;
  return {
    ...(undoubted_ms !== null && {
      undoubted: { time: undoubted_ms, odometer: row.undoubted_odometer },
    }),
    ...(last_ms !== null &&
      last_ms !== undoubted_ms && {
        doubted: { time: last_ms, odometer: row.last_odometer, confirmed: row.last_confirmed },
      }),
  };
}

const lastBefore = (condition = '') => `
  select ${millisecondsOf('h.time')} as ms, h.odometer, h.odometer_confirmed from vehicle_history h
  where h.provider = $1 and h.vehicle_id = key.vehicle_id and h.time < key.time
    and h.odometer is not null ${condition}
  order by h.time desc limit 1`;

const selectStates = `
  select undoubted.ms as undoubted_ms, undoubted.odometer as undoubted_odometer,
    last.ms as last_ms, last.odometer as last_odometer, last.odometer_confirmed as last_confirmed
  from unnest($2::text[], $3::timestamptz[]) with ordinality as key (vehicle_id, time, position)
  left join lateral (${lastBefore('and h.odometer_confirmed is null')}) undoubted on true
  left join lateral (${lastBefore()}) last on true
  order by key.position`;

async function readOdometers(
  tx: Queryable,
  providerId: string,
  keys: readonly Key[],
  count: number,
): Promise<StoredReading[][]> {
  const rows = await tx.query<StoredReading & { position: number }>(selectReadings, [
    ...valuesOf(providerId, keys),
    count,
  ]);
  const readings: StoredReading[][] = keys.map(() => []);
  for (const { position, ...reading } of rows) readings[position - 1]?.push(reading);
  return readings;
}

const selectReadings = `
  select key.position, h.time, h.odometer, h.confirmed
  from unnest($2::text[], $3::timestamptz[]) with ordinality as key (vehicle_id, time, position)
  cross join lateral (
    select ${millisecondsOf('h.time')} as time, h.odometer, h.odometer_confirmed as confirmed
    from vehicle_history h
    where h.provider = $1 and h.vehicle_id = key.vehicle_id and h.time >= key.time
      and h.odometer is not null
    order by h.time limit $4
  ) h
  order by key.position, h.time`;

function valuesOf(providerId: string, keys: readonly Key[]): unknown[] {
  return [
    providerId,
    textArray(keys.map(({ vehicleId }) => vehicleId)),
    instantArray(keys.map(({ time }) => time)),
  ];
}

export type OdometerMark = Key & { confirmed: Confirmed };

async function markOdometers(
  tx: Queryable,
  providerId: string,
  marks: readonly OdometerMark[],
): Promise<void> {
  if (marks.length === 0) return;
  const confirmed = columnArray(
    'boolean',
    marks.map((mark) => mark.confirmed ?? undefined),
  );
  await tx.query(updateMarks, [...valuesOf(providerId, marks), confirmed]);
}

const updateMarks = `
  update vehicle_history h set odometer_confirmed = mark.confirmed
  from unnest($2::text[], $3::timestamptz[], $4::boolean[]) as mark (vehicle_id, time, confirmed)
  where h.provider = $1 and h.vehicle_id = mark.vehicle_id and h.time = mark.time`;
