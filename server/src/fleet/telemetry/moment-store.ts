import { instantArray, textArray, typedArrays } from '../../platform/db/binary-arrays.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { Extra } from './extra-signals.ts';
import { executeFor, type SignalArrays, signalStatement } from './signal-arrays.ts';
import {
  historySignals,
  type Moment,
  type SignalColumn,
  selectedSignals,
  signalColumns,
  signalsOf,
} from './signals.ts';

export type MomentKey = { vehicleId: string; time: number };

/** What the history has of these moments, in their order; undefined for one that it does not have. */
export async function readMoments(
  tx: Queryable,
  providerId: string,
  keys: readonly MomentKey[],
): Promise<(Moment | undefined)[]> {
  if (keys.length === 0) return [];
  const rows = await tx.query<Record<string, unknown> & { position: number }>(selectMoments, [
    providerId,
    textArray(keys.map(({ vehicleId }) => vehicleId)),
    instantArray(keys.map(({ time }) => time)),
  ]);
  const moments: (Moment | undefined)[] = keys.map(() => undefined);
  for (const row of rows) {
    const extra = row.extra as Extra | null;
    moments[row.position - 1] = { ...signalsOf(row, historySignals), ...(extra && { extra }) };
  }
  return moments;
}

const selectMoments = `
  select key.position, ${selectedSignals(historySignals, 'h')}, h.extra
  from unnest($2::text[], $3::timestamptz[]) with ordinality as key (vehicle_id, time, position)
  join vehicle_history h
    on h.provider = $1 and h.vehicle_id = key.vehicle_id and h.time = key.time`;

/** Each is later than the history of its vehicle, so that there is no conflict to check for (docs/decisions/0014-telemetry.md). */
export async function appendMoments(
  tx: Queryable,
  providerId: string,
  moments: SignalArrays,
): Promise<void> {
  await executeFor(tx, insertMoments, providerId, moments);
}

/** The history may have them already; the given ones were merged with it. */
export async function overwriteMoments(
  tx: Queryable,
  providerId: string,
  moments: SignalArrays,
): Promise<void> {
  await executeFor(tx, upsertMoments, providerId, moments);
}

const momentColumns: SignalColumn[] = [
  ...signalColumns(historySignals),
  { name: 'extra', type: 'jsonb', of: ({ extra }) => extra && JSON.stringify(extra) },
];

const insertInto = (columns: readonly SignalColumn[]) => `
  insert into vehicle_history as h
    (provider, vehicle_id, time, ${columns.map(({ name }) => name).join(', ')})
  select $1, moment.*
  from unnest($2::text[], $3::timestamptz[], ${typedArrays(columns, 4)}) as moment`;

const insertMoments = signalStatement(momentColumns, insertInto);

const upsertMoments = signalStatement(
  momentColumns,
  (columns) => `${insertInto(columns)}
  on conflict (provider, vehicle_id, time) do update
  set ${columns.map(({ name }) => `${name} = coalesce(excluded.${name}, h.${name})`).join(', ')}`,
);
