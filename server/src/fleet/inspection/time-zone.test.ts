import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** Dates of estimates are those of the calendar in the time zone of the provider. */

let service: TestService;
let now: Date;
const vehicle = '/DE*ABC*V1';
const inspection = `${vehicle}/inspection`;

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  now = new Date('2031-03-31T23:30:00.000Z');
  for (const table of ['vehicles', 'provider_profiles'])
    await service.db.query(`delete from ${table}`);
});

const setZone = (timeZone: string) => service.call('PUT', '/profile', { name: 'Fleet', timeZone });
const make = (firstRegistrationDate: string) =>
  service.call('PUT', vehicle, { information: { firstRegistrationDate } });
const read = async () => (await service.call('GET', inspection)).json;

test('the age of a vehicle is that of today, pending and estimated', async () => {
  await setZone('UTC');
  await make('2030-04-01');
  expect(await read()).toMatchObject({ status: 'pending', basis: { ageMonths: 11 } });
  await setZone('Europe/Berlin');
  expect(await read()).toMatchObject({ status: 'pending', basis: { ageMonths: 12 } });
  await service.runJobs();
  expect(await read()).toMatchObject({ status: 'estimated', basis: { ageMonths: 12 } });
});

test('an inspection that is passed today may be recorded, and none of tomorrow', async () => {
  await make('2028-03-15');
  const record = (lastInspectionDate: string) =>
    service.call('PUT', inspection, { lastInspectionDate });
  expect((await record('2031-04-01')).status).toBe(200);
  await setZone('UTC');
  expect((await record('2031-04-01')).json.detail).toBe(
    'lastInspectionDate must not be in the future: today is 2031-03-31.',
  );
});

test('inspections due before the day on which the vehicle was added are taken for passed', async () => {
  // Due on 31 March, the day on which it was added in UTC, and the day before in Berlin.
  await setZone('UTC');
  await make('2028-03-15');
  await service.runJobs();
  expect((await read()).estimatedDate).toBe('2031-03-31');
  await setZone('Europe/Berlin');
  await service.runJobs();
  expect((await read()).estimatedDate).toBe('2033-03-31');
});
