import { afterAll, beforeAll, expect, test } from 'vitest';
import { openQueue } from '../../platform/jobs/queue.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { estimateInspection } from './estimate-jobs.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 1);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});
afterAll(() => service.stop());

const theirs = { provider: 'FR-XYZ', vehicleId: 'FR*XYZ*T0000' };
const own = { provider: 'DE-ABC', vehicleId: 'DE*ABC*T0000' };
const lockVehicle = 'select from vehicles where provider = $1 and id = $2 for update';

test('while the vehicle of a provider is locked, those of another are estimated, and it is left for later', async () => {
  const { db, owner, dependencies } = service;
  const estimated = async () => {
    const rows = await owner.query<{ provider: string }>(
      'select provider from inspections where rules_reviewed_on is not null order by provider',
    );
    return rows.map(({ provider }) => provider);
  };
  const errors: unknown[] = [];
  const queue = await openQueue(db, {
    kinds: [estimateInspection],
    dependencies: () => dependencies,
    runsJobs: true,
    onError: (error) => errors.push(error),
  });
  await owner.query('update inspections set rules_reviewed_on = null');
  for (const vehicle of [theirs, own]) await queue.add(db, estimateInspection, vehicle);
  await owner.transaction(async (tx) => {
    await tx.query(lockVehicle, Object.values(theirs));
    await queue.work();
    await expect.poll(estimated).toEqual(['DE-ABC']);
  });
  await expect.poll(estimated).toEqual(['DE-ABC', 'FR-XYZ']);
  await queue.close();
  expect(errors).toEqual([]);
});
