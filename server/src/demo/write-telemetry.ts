import { writeStates } from '../fleet/charging/state-store.ts';
import {
  type ChargingChange,
  type DetectionContext,
  updateSessions,
} from '../fleet/charging/update-sessions.ts';
import type { FleetSettings } from '../fleet/dependencies.ts';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import type { Queryable } from '../platform/db/database.ts';
import { charging } from './charging.ts';
import { electricOf } from './electric.ts';
import { DAY_MS } from './history.ts';
import { type Reading, readings } from './readings.ts';

type Told = { vehicle: Vehicle; readings: readonly Reading[] };

const vehiclesAtOnce = 10;

/**
 * Writes what the vehicles of a provider have told in two years, as far back as a history is kept.
 * The charging sessions are those that the service finds in it.
 */
export async function writeTelemetry(
  tx: Queryable,
  provider: string,
  fleet: readonly Vehicle[],
  { historyDays, chargingGapMs }: FleetSettings,
  now: Date,
): Promise<void> {
  const start = now.getTime() - historyDays * DAY_MS;
  let written = Promise.resolve();
  try {
    for (let index = 0; index < fleet.length; index += vehiclesAtOnce) {
      const told = fleet.slice(index, index + vehiclesAtOnce).map((vehicle) => ({
        vehicle,
        readings: readings(vehicle, charging(vehicle, now), now).filter(
          ({ time }) => time >= start,
        ),
      }));
      // The database writes some while the next are made up.
      await written;
      written = write({ tx, clock: { now: () => now }, gapMs: chargingGapMs }, provider, told);
    }
    await written;
  } finally {
    // Whatever happened, nothing goes on in a transaction that is over.
    await Promise.allSettled([written]);
  }
}

async function write(
  context: DetectionContext,
  provider: string,
  told: readonly Told[],
): Promise<void> {
  const { tx } = context;
  await writeReadings(tx, provider, told);
  const changes = told.flatMap(chargingChanges);
  const states = await updateSessions(context, provider, changes);
  await writeStatuses(tx, provider, told);
  await writeStates(tx, provider, states);
}

function chargingChanges({ vehicle, readings: told }: Told): ChargingChange[] {
  const electric = electricOf(vehicle);
  if (!electric) return [];
  const { capacityKwh, levelIsCharge } = electric;
  return [
    {
      vehicleId: vehicle.asset.id,
      samples: told.map(({ place, ...reading }) => ({
        ...reading,
        ...(place && { location: place }),
      })),
      late: false,
      state: null,
      lastKnown: {},
      battery: { capacityKwh, levelIsCharge },
    },
  ];
}

async function writeReadings(
  tx: Queryable,
  provider: string,
  told: readonly Told[],
): Promise<void> {
  const rows = told.flatMap(({ vehicle, readings: ofVehicle }) =>
    ofVehicle.map((reading) => ({ vehicleId: vehicle.asset.id, reading })),
  );
  // Written out as PostgreSQL reads it: the driver would look at every element.
  const column = (value: (reading: Reading) => number | boolean | undefined) =>
    `{${rows.map(({ reading }) => value(reading) ?? 'null').join(',')}}`;
  await tx.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer, fuel_level, lat, lng,
       is_charging, is_plugged_in, energy_meter)
     select $1, vehicle_id, to_timestamp(ms / 1000), odometer, level, lat, lng, charging, plugged, meter
     from unnest($2::text[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
       $8::boolean[], $9::boolean[], $10::float8[])
       as told (vehicle_id, ms, odometer, level, lat, lng, charging, plugged, meter)`,
    [
      provider,
      `{${rows.map(({ vehicleId }) => vehicleId).join(',')}}`,
      column(({ time }) => time),
      column(({ odometer }) => odometer),
      column(({ level }) => level),
      column(({ place }) => place?.lat),
      column(({ place }) => place?.lng),
      column(({ isCharging }) => isCharging),
      column(({ isPluggedIn }) => isPluggedIn),
      column(({ energyMeter }) => energyMeter),
    ],
  );
}

async function writeStatuses(
  tx: Queryable,
  provider: string,
  told: readonly Told[],
): Promise<void> {
  const rows = told.map(({ vehicle, readings: ofVehicle }) => {
    const { time, energyMeter } = ofVehicle.at(-1) ?? {};
    return { vehicle_id: vehicle.asset.id, energy_meter: energyMeter, last_ms: time };
  });
  await tx.query(
    `update vehicle_statuses s set
       energy_meter = last.energy_meter,
       energy_meter_at = case when last.energy_meter is not null then to_timestamp(last_ms / 1000) end,
       history_until = to_timestamp(last_ms / 1000)
     from jsonb_to_recordset($2::jsonb)
       as last (vehicle_id text, energy_meter double precision, last_ms double precision)
     where s.provider = $1 and s.vehicle_id = last.vehicle_id`,
    [provider, JSON.stringify(rows)],
  );
}
