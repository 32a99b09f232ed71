import type { ChargingSample } from '../fleet/charging/detection/session.ts';
import type { SessionSummary } from '../fleet/charging/detection/session-summary.ts';
import { ingest } from '../fleet/telemetry/ingest.ts';
import { writeVehicle } from '../fleet/vehicles/public.ts';
import { hour, minute } from './charging-streams.ts';
import type { TestService } from './test-service.ts';

export const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
export const capacityKwh = 50;

const day = 24 * hour;
/** The time to which the times of samples are relative. */
export const start = Math.floor(Date.now() / day) * day - 100 * day;

export type Detected = SessionSummary & { id: string };

/** Its level is sent as that of the vehicle. */
type SentSample = ChargingSample & { fuelLevel?: number; stateOfCharge?: number };

let carCount = 0;

/** Vehicles of DE-ABC whose samples go through the ingest, each batch in a transaction of its own. */
export function chargingCars({ db, dependencies: { events, clock } }: TestService) {
  const sendAll = async (batch: readonly { vehicleId: string; sample: SentSample }[]) => {
    const readings = batch.map(({ vehicleId, sample: { time, level, ...signals } }) => ({
      vehicleId,
      time: start + time,
      signals: { ...signals, ...(level !== undefined && { fuelLevel: level }) },
    }));
    await db.transaction((tx) => ingest({ tx, events }, provider, readings));
  };
  return {
    sendAll,
    send: (vehicleId: string, ...batch: readonly SentSample[]) =>
      sendAll(batch.map((sample) => ({ vehicleId, sample }))),

    async make(information: object = { evBatteryCapacity: capacityKwh }): Promise<string> {
      const id = `DE*ABC*C${++carCount}`;
      await writeVehicle({ tx: db, events, clock }, provider, id, { information });
      return id;
    },

    /** The sessions that were detected, superseded or not, oldest first. */
    async detected(vehicleId: string): Promise<Detected[]> {
      const rows = await db.query<DetectedRow>(
        `select * from charging_sessions
         where provider = 'DE-ABC' and vehicle_id = $1 and source = 'telemetry' order by from_time`,
        [vehicleId],
      );
      return rows.map(detectedOf);
    },
  };
}

type DetectedRow = {
  id: string;
  from_time: string;
  from_level: number | null;
  to_time: string | null;
  to_level: number | null;
  lat: number | null;
  lng: number | null;
  charged_kwh: number | null;
  energy_basis: SessionSummary['energyBasis'];
};

function detectedOf(row: DetectedRow): Detected {
  const { lat, lng } = row;
  return {
    id: row.id,
    from: Date.parse(row.from_time) - start,
    fromLevel: row.from_level ?? undefined,
    to: row.to_time === null ? undefined : Date.parse(row.to_time) - start,
    toLevel: row.to_level ?? undefined,
    location: lat === null || lng === null ? undefined : { lat, lng },
    chargedKwh: row.charged_kwh ?? undefined,
    energyBasis: row.energy_basis,
  };
}

/** A charge of an hour, with a sample every ten minutes. */
export function charge(at: number): ChargingSample[] {
  const location = { lat: 52, lng: 13 };
  const samples = [0, 10, 20, 30, 40, 50].map((minutes) => ({
    time: at + minutes * minute,
    isPluggedIn: true,
    isCharging: true,
    level: 40 + minutes / 10,
    location,
  }));
  return [
    ...samples,
    { time: at + hour, isPluggedIn: false, isCharging: false, level: 46, location },
  ];
}
