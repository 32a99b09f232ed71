import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { exportVehicles } from '../../commands/vehicle-export.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
let folder: string;
const id = 'DE*ABC*V1';
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'motorpool-statuses-'));
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await service.runJobs();
  await service.db.query('delete from vehicles');
  await service.call('PUT', `/${id}`, { information: { model: 'Golf' } });
});

const tell = (timestamp: string, signals: object) =>
  service.call('PUT', `/${id}/status`, { timestamp, ...signals });

async function exported(): Promise<string> {
  const file = join(folder, 'vehicles.csv');
  const { signal } = new AbortController();
  await service.db.transaction((tx) => exportVehicles(tx, 'DE-ABC', file, signal));
  return readFile(file, 'utf8');
}

async function importCsv(csv: string) {
  const { json } = await service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/imports/vehicles',
    headers: { authorization: `Bearer ${await service.token()}`, 'content-type': 'text/csv' },
    body: csv,
  });
  expect(json).toMatchObject({ overwritten: 1, faulty: 0, notStored: [], written: true });
  return { cleared: json.cleared, positionTrackingDisabled: json.positionTrackingDisabled };
}

const nothing = { cleared: [], positionTrackingDisabled: 0 };

const withPolo = (csv: string) => csv.replace('Golf', 'Polo');
const status = async () => (await service.call('GET', `/${id}/status`)).json;
const signals = async () => (await status()).signals;
const model = async () => (await service.call('GET', `/${id}`)).json.information.model;

/** What the vehicle itself has planned. */
async function services() {
  await service.runJobs();
  return service.db.query(
    `select due_odometer, done from maintenance_reports
     where source = 'vehicle' and closed_at is null and not withdrawn`,
  );
}

test('an export that is corrected and imported leaves the signals, their times and the next service as they were', async () => {
  const [first, second] = [ago(3_000), ago(100)];
  const location = { lat: 52.5, lng: 13.4 };
  const tyre = { tirePressureFrontLeft: 2.4 };
  await tell(first, { odometer: 10_000, nextServiceDistance: 5_000, location, ...tyre });
  await tell(second, { odometer: 11_000, isLocked: true });
  const [before, planned] = [await status(), await services()];
  expect(planned).toEqual([{ due_odometer: 15_000, done: false }]);
  expect(await importCsv(withPolo(await exported()))).toEqual(nothing);
  expect(await model()).toBe('Polo');
  expect(await status()).toEqual(before);
  expect(before.signals).toMatchObject({
    odometer: { value: 11_000, measuredAt: second },
    nextServiceDistance: { value: 5_000, measuredAt: first },
    location: { value: location, measuredAt: first },
  });
  expect(await services()).toEqual(planned);
});

test('signals that were received between export and import stay, and what is older is written', async () => {
  const [first, second] = [ago(100), ago(50)];
  await tell(first, { odometer: 10_000, nextServiceDistance: 5_000, fuelLevel: 60 });
  const csv = (await exported()).replace(',60,', ',61,');
  const location = { lat: 52.5, lng: 13.4 };
  await tell(second, { odometer: 10_030, isLocked: true, location });
  expect(await importCsv(withPolo(csv))).toEqual(nothing);
  expect(await status()).toMatchObject({
    lastUpdated: second,
    signals: {
      odometer: { value: 10_030, measuredAt: second },
      isLocked: { value: true, measuredAt: second },
      location: { value: location, measuredAt: second },
      fuelLevel: { value: 61, measuredAt: first },
    },
  });
  expect(await services()).toEqual([{ due_odometer: 15_000, done: false }]);
});

test('a line that is newer than all that is known is a reading of all its signals', async () => {
  const [first, second] = [ago(100), ago(50)];
  await tell(first, { odometer: 10_000, fuelLevel: 60, isLocked: true });
  await importCsv(`id,lastUpdated,odometer,fuelLevel\n${id},${second},10000,50\n`);
  expect(await status()).toMatchObject({
    lastUpdated: second,
    signals: {
      odometer: { value: 10_000, measuredAt: second },
      fuelLevel: { value: 50, measuredAt: second },
      isLocked: { value: true, measuredAt: first },
    },
  });
});

test('without a time, what changes is written and has none; what does not change keeps its own', async () => {
  const first = ago(100);
  await tell(first, { odometer: 10_000, fuelLevel: 60 });
  await importCsv(`id,odometer,fuelLevel\n${id},10000,50\n`);
  expect(await signals()).toEqual({
    odometer: { value: 10_000, measuredAt: first },
    fuelLevel: { value: 50 },
  });
});

test('a distance to the next service counts from the odometer of its line, or from the one that is known', async () => {
  await importCsv(`id,odometer,nextServiceDistance\n${id},10000,5000\n`);
  expect(await services()).toEqual([{ due_odometer: 15_000, done: false }]);
  await importCsv(`id,nextServiceDistance\n${id},4900\n`);
  expect(await services()).toEqual([{ due_odometer: 14_900, done: false }]);
  await importCsv(`id,odometer,nextServiceDistance\n${id},10100,4800\n`);
  expect(await services()).toEqual([{ due_odometer: 14_900, done: false }]);
  await importCsv(`id,nextServiceDistance\n${id},\n`);
  expect(await services()).toEqual([]);
});

test('an export from before the vehicle has reported, corrected and imported, leaves what it has told since', async () => {
  const csv = await exported();
  const location = { lat: 52.5, lng: 13.4 };
  await tell(ago(50), { odometer: 10_000, nextServiceDistance: 5_000, location, isLocked: true });
  const [before, planned] = [await status(), await services()];
  expect(planned).toEqual([{ due_odometer: 15_000, done: false }]);
  expect(await importCsv(withPolo(csv))).toEqual(nothing);
  expect(await model()).toBe('Polo');
  expect(await status()).toEqual(before);
  expect(await services()).toEqual(planned);
});
