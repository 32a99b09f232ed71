import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
const vehicle = '/DE*ABC*V1';
const inspection = `${vehicle}/inspection`;
const now = new Date('2026-11-15T12:00:00.000Z');

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.db.query('delete from provider_profiles');
  await service.db.query('delete from vehicles');
  const information = { vendor: 'VW', model: 'Golf', firstRegistrationDate: '2026-03-15' };
  await service.call('PUT', vehicle, { information });
  await service.runJobs();
});

const putProfile = (fields: object) =>
  service.call('PUT', '/profile', { name: 'Hafen Mobil', ...fields });
const read = async () => (await service.call('GET', inspection)).json;
const waitingJobs = async () =>
  (
    await service.db.query(
      `select from pgboss.job where name = 'estimate-fleet' and state = 'created'`,
    )
  ).length;

test('an estimate uses the default class and usage where none is recorded, and says so', async () => {
  expect(await read()).toMatchObject({ estimatedDate: '2029-03-31', basis: { usage: 'private' } });
  await putProfile({ defaultVehicleClass: 'N1', defaultUsage: 'rental' });
  await service.runJobs();
  expect(await read()).toMatchObject({
    estimatedDate: '2027-03-31',
    confidence: 'medium',
    reason:
      'The vehicle class is not recorded: it is N1 by the profile of the asset provider. ' +
      'The usage is not recorded, and was taken for rental.',
    basis: { usage: 'rental', vehicleClass: 'N1' },
  });
  expect((await service.call('GET', `${vehicle}/maintenance`)).json.items).toMatchObject([
    { source: 'inspection', dueDate: '2027-03-31' },
  ]);
  await putProfile({});
  await service.runJobs();
  expect(await read()).toMatchObject({
    estimatedDate: '2029-03-31',
    basis: { usage: 'private', vehicleClass: 'M1' },
  });
});

test('what is recorded of a vehicle counts instead of the defaults', async () => {
  await putProfile({ defaultVehicleClass: 'N1', defaultUsage: 'rental' });
  await service.call('PUT', inspection, { vehicleClass: 'M1', usage: 'private' });
  await service.runJobs();
  expect(await read()).toMatchObject({
    estimatedDate: '2029-03-31',
    confidence: 'high',
    basis: { usage: 'private', vehicleClass: 'M1' },
  });
});

test('an estimate that is pending is already based on the defaults', async () => {
  await service.db.query('delete from inspections');
  await putProfile({ defaultVehicleClass: 'N3', defaultUsage: 'taxi' });
  expect(await read()).toMatchObject({
    status: 'pending',
    basis: { usage: 'taxi', vehicleClass: 'N3' },
  });
});

test('only a change of what estimates depend on has the fleet estimated again', async () => {
  await putProfile({ legalForm: 'GmbH', defaultUsage: 'private', timeZone: 'Europe/Berlin' });
  expect(await waitingJobs()).toBe(0);
  await putProfile({ defaultUsage: 'taxi' });
  expect(await waitingJobs()).toBe(1);
});

test('the defaults of another provider do not count', async () => {
  const { db } = service;
  await db.query(
    `insert into provider_profiles (provider, default_usage, created_at, updated_at) values ('FR-XYZ', 'taxi', $1, $1)`,
    [now],
  );
  await service.call('PATCH', inspection);
  await service.runJobs();
  expect(await read()).toMatchObject({ basis: { usage: 'private' } });
});
