import type { Queryable } from '../../platform/db/database.ts';
import { columnArray, instantArray, textArray, typedArrays } from './column-arrays.ts';
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
  const rows = await tx.rows<Record<string, unknown> & { position: number }>(select, [
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

/** A moment to write; a new one is later than all that the history has of its vehicle. */
export type MomentToWrite = MomentKey & { moment: Moment; isNew: boolean };

export async function writeMoments(
  tx: Queryable,
  providerId: string,
  moments: readonly MomentToWrite[],
): Promise<void> {
  const news = moments.filter(({ isNew }) => isNew);
  if (news.length > 0) await tx.rows(insert, valuesOf(providerId, news));
  if (news.length === moments.length) return;
  const rest = moments.filter(({ isNew }) => !isNew);
  await tx.rows(upsert, valuesOf(providerId, rest));
}

function valuesOf(providerId: string, moments: readonly MomentToWrite[]): unknown[] {
  return [
    providerId,
    textArray(moments.map(({ vehicleId }) => vehicleId)),
    instantArray(moments.map(({ time }) => time)),
    ...columns.map(({ type, of }) =>
      columnArray(
        type,
        moments.map(({ moment }) => of(moment)),
      ),
    ),
  ];
}

const columns = signalColumns(historySignals);

// To look for a conflict takes half as long again, so it is done only where there can be one.
const insert = `
  insert into vehicle_history as h
    (provider, vehicle_id, time, ${columns.map(({ name }) => name).join(', ')})
  select $1, moment.*
  from unnest($2::text[], $3::timestamptz[], ${typedArrays(columns, 4)}) as moment`;

// What was there has been read and merged.
const upsert = `${insert}
  on conflict (provider, vehicle_id, time) do update
  set ${columns.map(({ name }) => `${name} = coalesce(excluded.${name}, h.${name})`).join(', ')}`;
