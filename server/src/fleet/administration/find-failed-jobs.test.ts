import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { givenUpAt, giveUpJob } from '../../testing/give-up-job.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const incidentId = '8c1f6c54-2f0b-4b0e-8a55-0f6a6c1d2e3f';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  const own = { provider: 'DE-ABC', vehicleId: 'DE*ABC*V0001', incidentId };
  await bury('recognise-incident', own);
  await bury('plan-fleet', { provider: 'DE-ABC' });
  await bury('recognise-incident', { ...own, provider: 'FR-XYZ' });
  await bury('plan-fleet', { provider: 'FR-XYZ' });
  // Of the whole installation.
  await bury('maintain-queue', {});
});
afterAll(() => service.stop());

const bury = (job: string, payload: object) => giveUpJob(service.db, randomUUID(), job, payload);

const find = async (filters: object[] = []) =>
  (await service.call('POST', '/administration/failed-jobs/search', { filters })).json;

test('what was given up is told with its records, and without its error', async () => {
  const { items } = await find([{ field: 'incidentId', value: incidentId }]);
  expect(items).toEqual([
    {
      id: expect.any(String),
      job: 'recognise-incident',
      vehicleId: 'DE*ABC*V0001',
      incidentId,
      tries: 13,
      createdAt: '2026-11-15T05:12:00.000Z',
      updatedAt: givenUpAt,
    },
  ]);
});

test('neither the jobs of others nor those of the installation are seen', async () => {
  const { items, pagination } = await find();
  expect(items.map(({ job }: { job: string }) => job).sort()).toEqual([
    'plan-fleet',
    'recognise-incident',
  ]);
  expect(pagination.totalEntries).toBe(2);
  expect((await find([{ field: 'job', value: 'maintain-queue' }])).items).toEqual([]);
});

test('those since a time are found', async () => {
  const since = (value: string) => find([{ field: 'updatedAt', operator: 'gte', value }]);
  expect((await since(givenUpAt)).items).toHaveLength(2);
  expect((await since('2026-11-16T00:00:00Z')).items).toEqual([]);
});
