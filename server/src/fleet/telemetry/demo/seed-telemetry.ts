import type { DemoContext } from '../../demo-context.ts';
import { type DemoVehicle, demoVehicles } from '../../vehicles/public.ts';
import { demoReadings, type Reading } from './readings.ts';

type Told = { vehicle: DemoVehicle; readings: readonly Reading[] };

const vehiclesAtOnce = 10;

export async function seedTelemetry(context: DemoContext): Promise<void> {
  const fleet = demoVehicles(context);
  let written = Promise.resolve();
  try {
    for (let index = 0; index < fleet.length; index += vehiclesAtOnce) {
      const told = fleet
        .slice(index, index + vehiclesAtOnce)
        .map((vehicle) => ({ vehicle, readings: demoReadings(context, vehicle) }));
      // The database writes some while the next are made up.
      await written;
      written = write(context, told);
    }
    await written;
  } finally {
    // Whatever happened, nothing goes on in a transaction that is over.
    await Promise.allSettled([written]);
  }
}

async function write(context: DemoContext, told: readonly Told[]): Promise<void> {
  await writeReadings(context, told);
  await writeStatuses(context, told);
}

async function writeReadings({ tx, provider }: DemoContext, told: readonly Told[]): Promise<void> {
  const rows = told.flatMap(({ vehicle, readings: ofVehicle }) =>
    ofVehicle.map((reading) => ({ vehicleId: vehicle.asset.id, reading })),
  );
  // Written out as PostgreSQL reads it: the driver would look at every element.
  const column = (value: (reading: Reading) => number | boolean | undefined) =>
    `{${rows.map(({ reading }) => value(reading) ?? 'null').join(',')}}`;
  await tx.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer, fuel_level, lat, lng,
       is_charging, is_plugged_in, energy_meter, state_of_charge)
     select $1, vehicle_id, to_timestamp(ms / 1000), odometer, level, lat, lng, charging, plugged, meter, charge
     from unnest($2::text[], $3::float8[], $4::float8[], $5::float8[], $6::float8[], $7::float8[],
       $8::boolean[], $9::boolean[], $10::float8[], $11::float8[])
       as told (vehicle_id, ms, odometer, level, lat, lng, charging, plugged, meter, charge)`,
    [
      provider.id,
      `{${rows.map(({ vehicleId }) => vehicleId).join(',')}}`,
      column(({ time }) => time),
      column(({ odometer }) => odometer),
      column(({ level }) => level),
      column(({ location }) => location?.lat),
      column(({ location }) => location?.lng),
      column(({ isCharging }) => isCharging),
      column(({ isPluggedIn }) => isPluggedIn),
      column(({ energyMeter }) => energyMeter),
      column(({ stateOfCharge }) => stateOfCharge),
    ],
  );
}

async function writeStatuses({ tx, provider }: DemoContext, told: readonly Told[]): Promise<void> {
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
    [provider.id, JSON.stringify(rows)],
  );
}
