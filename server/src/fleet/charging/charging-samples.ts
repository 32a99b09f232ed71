import type { Queryable } from '../../platform/db/database.ts';
import { type ChargingSample, dayMs, type LastKnown } from './detection/session-detector.ts';
import { instantOf } from './session-store.ts';

/** Whose history is read. */
export type HistoryOf = {
  tx: Queryable;
  providerId: string;
  vehicleId: string;
  levelIsCharge: boolean;
};

const pageSize = 500;

/** The samples of the history from a time on, page by page. */
export async function* samplesFrom(
  { tx, providerId, vehicleId, levelIsCharge }: HistoryOf,
  start: number,
): AsyncGenerator<ChargingSample[]> {
  for (let after = start - 1; ; ) {
    const rows = await tx.query<HistoryRow>(selectPage, [providerId, vehicleId, instantOf(after)]);
    const samples = rows.map((row) => sampleOf(row, levelIsCharge));
    const last = samples.at(-1);
    if (last) yield samples;
    if (!last || samples.length < pageSize) return;
    after = last.time;
  }
}

/** The last level, position and plug in the history before a time, a day before it at most. */
export async function lastKnownBefore(
  { tx, providerId, vehicleId, levelIsCharge }: HistoryOf,
  start: number,
): Promise<LastKnown> {
  const [row] = await tx.query<LastKnownRow>(selectLastKnown, [
    providerId,
    vehicleId,
    instantOf(start - dayMs),
    instantOf(start),
  ]);
  const lastKnown: LastKnown = {};
  if (row?.level_time && row.fuel_level !== null && levelIsCharge) {
    lastKnown.level = { value: row.fuel_level, time: Date.parse(row.level_time) };
  }
  if (row?.position_time && row.lat !== null && row.lng !== null) {
    lastKnown.location = { lat: row.lat, lng: row.lng, time: Date.parse(row.position_time) };
  }
  if (row?.plug_time && row.is_plugged_in !== null) {
    lastKnown.plug = { isIn: row.is_plugged_in, time: Date.parse(row.plug_time) };
  }
  return lastKnown;
}

type HistoryRow = {
  time: string;
  is_plugged_in: boolean | null;
  is_charging: boolean | null;
  fuel_level: number | null;
  energy_meter: number | null;
  lat: number | null;
  lng: number | null;
};

type LastKnownRow = Pick<HistoryRow, 'fuel_level' | 'lat' | 'lng' | 'is_plugged_in'> & {
  level_time: string | null;
  position_time: string | null;
  plug_time: string | null;
};

function sampleOf(row: HistoryRow, levelIsCharge: boolean): ChargingSample {
  const { lat, lng } = row;
  return {
    time: Date.parse(row.time),
    isPluggedIn: row.is_plugged_in ?? undefined,
    isCharging: row.is_charging ?? undefined,
    level: levelIsCharge ? (row.fuel_level ?? undefined) : undefined,
    energyMeter: row.energy_meter ?? undefined,
    location: lat === null || lng === null ? undefined : { lat, lng },
  };
}

const selectPage = `
  select time, is_plugged_in, is_charging, fuel_level, energy_meter, lat, lng from vehicle_history
  where provider = $1 and vehicle_id = $2 and time > $3
    and num_nonnulls(is_plugged_in, is_charging, fuel_level, energy_meter, lat) > 0
  order by time limit ${pageSize}`;

const lastOf = (column: string, more = '') => `
  left join lateral (
    select ${column}${more}, time from vehicle_history
    where provider = $1 and vehicle_id = $2 and time >= $3 and time < $4 and ${column} is not null
    order by time desc limit 1
  )`;

const selectLastKnown = `
  select level.fuel_level, level.time as level_time, position.lat, position.lng,
    position.time as position_time, plug.is_plugged_in, plug.time as plug_time
  from (select) one
  ${lastOf('fuel_level')} level on true
  ${lastOf('lat', ', lng')} position on true
  ${lastOf('is_plugged_in')} plug on true`;
