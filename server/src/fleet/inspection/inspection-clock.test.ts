import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
let now: Date;
const vehicle = '/DE*ABC*V1';
const inspection = `${vehicle}/inspection`;

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  now = new Date('2031-01-31T12:00:00.000Z');
  await service.db.query('delete from vehicles');
  await service.db.query('delete from pgboss.job');
  await service.call('PUT', vehicle, { information: { firstRegistrationDate: '2028-05-10' } });
});

const read = async () => (await service.call('GET', inspection)).json;

test('the age of the vehicle is that on the day of the clock, before and after the estimate', async () => {
  expect(await read()).toMatchObject({ status: 'pending', basis: { ageMonths: 32 } });
  now = new Date('2031-02-10T00:00:00.000Z');
  expect(await read()).toMatchObject({ status: 'pending', basis: { ageMonths: 33 } });
  await service.call('PATCH', inspection);
  await service.runJobs();
  expect(await read()).toMatchObject({
    status: 'estimated',
    basis: { ageMonths: 33 },
    estimatedAt: '2031-02-10T00:00:00.000Z',
  });
});

test('the last inspection may be on the day of the clock, and not later', async () => {
  const record = (lastInspectionDate: string) =>
    service.call('PUT', inspection, { lastInspectionDate });
  expect((await record('2031-02-01')).json.errors).toEqual([
    {
      pointer: '/lastInspectionDate',
      detail: 'lastInspectionDate must not be in the future: today is 2031-01-31.',
    },
  ]);
  expect((await record('2031-01-31')).json).toMatchObject({
    estimatedDate: '2033-01-31',
    updatedAt: '2031-01-31T12:00:00.000Z',
    estimatedAt: '2031-01-31T12:00:00.000Z',
  });
});

test('a planned inspection that is completed without a date was passed on the day of the clock', async () => {
  await service.call('PUT', inspection, {});
  const { json } = await service.call('GET', `${vehicle}/maintenance`);
  const [planned] = json.items;
  expect(planned).toMatchObject({ source: 'inspection', dueDate: '2031-05-31' });
  now = new Date('2031-06-02T09:00:00.000Z');
  await service.call('POST', `${vehicle}/maintenance/${planned.id}/done`, {});
  expect(await read()).toMatchObject({
    basis: { lastInspectionDate: '2031-06-02' },
    estimatedDate: '2033-06-30',
    updatedAt: '2031-06-02T09:00:00.000Z',
  });
});
