import type { Queryable } from '../../platform/db/database.ts';
import type { Moment } from '../events.ts';
import type { ChargingSample, LastKnown } from './detection/session.ts';
import { dayMs } from './detection/session-detector.ts';
import { historyOdometer, sampleOf } from './moment-sample.ts';
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
    const samples = rows.map((row) => sampleOf(Date.parse(row.time), momentOf(row), levelIsCharge));
    const last = samples.at(-1);
    if (last) yield samples;
    if (!last || samples.length < pageSize) return;
    after = last.time;
  }
}

/**
 * The last level, meter, odometer and position in the history before a time, a day before it at most; or since another, where
 * what was known before that is known already.
 */
export async function lastKnownBefore(
  { tx, providerId, vehicleId, levelIsCharge }: HistoryOf,
  start: number,
  since = Number.NEGATIVE_INFINITY,
): Promise<LastKnown> {
  if (since >= start) return {};
  const [row] = await tx.query<LastKnownRow>(selectLastKnown, [
    providerId,
    vehicleId,
    instantOf(Math.max(start - dayMs, since)),
    instantOf(start),
    levelIsCharge,
  ]);
  const readingOf = (value?: number | null, time?: string | null) =>
    typeof value === 'number' && time ? { value, time: Date.parse(time) } : undefined;
  const { lat, lng, position_time } = row ?? {};
  return {
    level: readingOf(row?.level, row?.level_time),
    meter: readingOf(row?.energy_meter, row?.meter_time),
    odometer: readingOf(row?.odometer, row?.odometer_time),
    ...(typeof lat === 'number' &&
      typeof lng === 'number' &&
      position_time && { location: { lat, lng, time: Date.parse(position_time) } }),
  };
}

type HistoryRow = {
  time: string;
  is_plugged_in: boolean | null;
  is_charging: boolean | null;
  state_of_charge: number | null;
  fuel_level: number | null;
  energy_meter: number | null;
  odometer: number | null;
  lat: number | null;
  lng: number | null;
};

type LastKnownRow = Pick<HistoryRow, 'energy_meter' | 'odometer' | 'lat' | 'lng'> & {
  level: number | null;
  level_time: string | null;
  meter_time: string | null;
  odometer_time: string | null;
  position_time: string | null;
};

function momentOf(row: HistoryRow): Moment {
  const { lat, lng } = row;
  return {
    isPluggedIn: row.is_plugged_in ?? undefined,
    isCharging: row.is_charging ?? undefined,
    stateOfCharge: row.state_of_charge ?? undefined,
    fuelLevel: row.fuel_level ?? undefined,
    energyMeter: row.energy_meter ?? undefined,
    odometer: row.odometer ?? undefined,
    location: lat === null || lng === null ? undefined : { lat, lng },
  };
}

const columns = 'is_plugged_in, is_charging, state_of_charge, fuel_level, energy_meter, lat';

const selectPage = `
  select time, ${columns}, lng, ${historyOdometer} as odometer from vehicle_history
  where provider = $1 and vehicle_id = $2 and time > $3
    and num_nonnulls(${columns}, ${historyOdometer}) > 0
  order by time limit ${pageSize}`;

const level = 'coalesce(state_of_charge, case when $5::boolean then fuel_level end)';

const lastOf = (value: string, more = '') => `
  left join lateral (
    select ${value} as value${more}, time from vehicle_history
    where provider = $1 and vehicle_id = $2 and time >= $3 and time < $4 and ${value} is not null
    order by time desc limit 1
  )`;

const selectLastKnown = `
  select level.value as level, level.time as level_time, meter.value as energy_meter,
    meter.time as meter_time, odometer.value as odometer, odometer.time as odometer_time,
    position.value as lat, position.lng, position.time as position_time
  from (select) one
  ${lastOf(level)} level on true
  ${lastOf('energy_meter')} meter on true
  ${lastOf(historyOdometer)} odometer on true
  ${lastOf('lat', ', lng')} position on true`;
