import { instantArray, textArray, typedArrays } from '../../platform/db/binary-arrays.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { SignalArrays } from './signal-arrays.ts';
import {
  historySignals,
  type Moment,
  selectedSignals,
  signalColumns,
  signalsOf,
} from './signals.ts';

export type MomentKey = { vehicleId: string; time: number };

/** What the history has of these moments, in their order; nothing for one that it does not have. */
export async function readMoments(
  tx: Queryable,
  providerId: string,
  keys: readonly MomentKey[],
): Promise<(Moment | undefined)[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<Record<string, unknown> & { position: number }>(select, [
    providerId,
    textArray(keys.map(({ vehicleId }) => vehicleId)),
    instantArray(keys.map(({ time }) => time)),
  ]);
  const found: (Moment | undefined)[] = keys.map(() => undefined);
  for (const row of rows) found[row.position - 1] = signalsOf(row, historySignals);
  return found;
}

const select = `
  select sought.position, ${selectedSignals(historySignals, 'h')}
  from unnest($2::text[], $3::timestamptz[]) with ordinality as sought (vehicle_id, time, position)
  join vehicle_history h
    on h.provider = $1 and h.vehicle_id = sought.vehicle_id and h.time = sought.time`;

/** Adds moments, each later than all that the history has of its vehicle. */
export async function insertMoments(
  tx: Queryable,
  providerId: string,
  moments: SignalArrays,
): Promise<void> {
  await tx.query(insert, valuesOf(providerId, moments));
}

/** Adds to moments what was read and merged; it looks for conflicts, which takes half as long again. */
export async function upsertMoments(
  tx: Queryable,
  providerId: string,
  moments: SignalArrays,
): Promise<void> {
  await tx.query(upsert, valuesOf(providerId, moments));
}

function valuesOf(providerId: string, moments: SignalArrays): unknown[] {
  return [providerId, moments.vehicleIds, moments.times, ...moments.of(columns)];
}

const columns = signalColumns(historySignals);

const insert = `
  insert into vehicle_history as h
    (provider, vehicle_id, time, ${columns.map(({ name }) => name).join(', ')})
  select $1, moment.*
  from unnest($2::text[], $3::timestamptz[], ${typedArrays(columns, 4)}) as moment`;

const upsert = `${insert}
  on conflict (provider, vehicle_id, time) do update
  set ${columns.map(({ name }) => `${name} = coalesce(excluded.${name}, h.${name})`).join(', ')}`;
