import { afterAll, beforeAll, expect, test } from 'vitest';
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
const waiting = `
  select from pg_locks join pg_stat_activity using (pid) where not granted and datname = current_database()`;

test('while the vehicle of a provider is locked, estimates lock none of another provider', async () => {
  const { db, owner, dependencies } = service;
  for (const vehicle of [own, theirs]) await dependencies.jobs.add(db, estimateInspection, vehicle);
  let running: Promise<number> | undefined;
  await owner.transaction(async (tx) => {
    await tx.query(lockVehicle, Object.values(theirs));
    running = service.runJobs();
    await expect.poll(() => owner.query(waiting), { timeout: 10_000 }).not.toHaveLength(0);
    await owner.query(`${lockVehicle} nowait`, Object.values(own));
  });
  expect(await running).toBeGreaterThanOrEqual(2);
});
