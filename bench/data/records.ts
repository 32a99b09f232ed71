import { createHash } from 'node:crypto';
import type { Database } from '../../server/src/platform/db/database.ts';
import { vehicleId } from './vehicles.ts';

/** Vehicles with a long charging history: the first ones. */
export const chargedVehicles = 20;
const sessionsEach = 105;
/** Incidents to overwrite, one per vehicle, of the vehicles after those. */
export const incidentCount = 400;
export const damagesEach = 3;
const damage = {
  title: 'Scratch on the door',
  damageType: 'scratch',
  severity: 'light',
  repaired: false,
  position: 'right_front_door_lower',
};

/** A deterministic id. */
export function incidentIdOf(number: number): string {
  const hex = createHash('md5').update(`incident ${number}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export function incidentVehicle(number: number, idPrefix: string): string {
  return vehicleId(chargedVehicles + number, idPrefix);
}

/** Charging sessions and incidents, by SQL, as there is no import of them. */
export async function writeRecords(
  db: Database,
  provider: string,
  vehicles: number,
  idPrefix: string,
): Promise<void> {
  await db.queryUnprepared(
    `insert into charging_sessions (provider, vehicle_id, id, source, from_time, from_level, to_time,
       to_level, lat, lng, charged_kwh, energy_basis, created_at, updated_at)
     select $1, $2 || lpad(vehicle::text, 7, '0'), 'S' || session, 'recorded', began,
       20 + session % 40, began + interval '2 hours', 80, 48 + vehicle % 500 / 100.0,
       8 + vehicle % 500 / 100.0, 20 + session % 30, 'measured', began, began
     from generate_series(0, $3::int - 1) vehicle,
       generate_series(1, case when vehicle < $4::int then $5::int when vehicle % 10 = 0 then 10 else 0 end) session,
       lateral (select timestamptz '2026-09-30 18:00:00+00' - session * interval '31 hours' as began) times`,
    [provider, idPrefix, vehicles, chargedVehicles, sessionsEach],
  );
  const numbers = Array.from({ length: incidentCount }, (_, number) => number);
  await db.queryUnprepared(
    `insert into incidents
       (provider, vehicle_id, id, title, vehicle_operable, is_resolved, damages, report_timestamp, updated_at)
     select $1, vehicle_id, id, 'Scraped a bollard', true, false, $4, now(), now()
     from unnest($2::text[], $3::uuid[]) as incident (vehicle_id, id)`,
    [
      provider,
      numbers.map((number) => incidentVehicle(number, idPrefix)),
      numbers.map(incidentIdOf),
      JSON.stringify(Array.from({ length: damagesEach }, () => damage)),
    ],
  );
}
