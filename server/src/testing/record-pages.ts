import { type ConsoleFleet, startConsoleFleet } from './console-fleet.ts';
import { makeRecord } from './make-record.ts';

export const car = { id: 'DE*ABC*RECORDS', plate: 'HH-MP 1001' };

export const daysAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString();

export type RecordPages = ConsoleFleet & {
  made(method: string, path: string, body: object): ReturnType<typeof makeRecord>;
};

/** The console of a fleet with a car that has no records yet. */
export async function startRecordPages(): Promise<RecordPages> {
  const started = await startConsoleFleet();
  const made: RecordPages['made'] = (method, path, body) =>
    makeRecord(started.service, method, path, body);
  await made('PUT', `/${car.id}`, {
    information: { licensePlate: car.plate, vendor: 'Zeta', model: 'One', evBatteryCapacity: 60 },
  });
  await made('PUT', `/${car.id}/status`, {
    timestamp: new Date().toISOString(),
    odometer: 12_345,
    fuelLevel: 60,
  });
  return { ...started, made };
}
