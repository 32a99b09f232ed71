import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFleet } from '../testing/make-fleet.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { fleetJob } from './fleet-job.ts';

let service: TestService;
let ids: string[];
beforeAll(async () => {
  service = await startTestService();
  ids = (await makeFleet(service.db, 'DE', 'ABC', 20)).map(({ asset }) => asset.id);
});
afterAll(() => service.stop());

/** Activates vehicles; the statement fails if the failing ones are among them. */
function activating(failing: readonly string[], statement = 'select 1 / 0') {
  return fleetJob({
    name: 'activate',
    select: 'select id from vehicles where provider = $1 and id > $2 order by id limit $3',
    async run(providerId, vehicleIds, { tx }) {
      await tx.query(
        'update vehicles set active = true where provider = $1 and id = any($2::text[])',
        [providerId, vehicleIds],
      );
      if (vehicleIds.some((id) => failing.includes(id))) await tx.query(statement);
    },
  });
}

/** Runs the job as the queue does; returns the payloads of the jobs that it added. */
async function runJob(job: ReturnType<typeof fleetJob>, payload: object): Promise<object[]> {
  const added: object[] = [];
  const jobs = {
    async add(_tx: unknown, _job: unknown, next: object) {
      added.push(next);
    },
  };
  await service.db.query('update vehicles set active = false');
  await service.db.transaction((tx) => job.run(payload, { ...service.dependencies, tx, jobs }));
  return added;
}

async function inactive(): Promise<string[]> {
  const rows = await service.db.query<{ id: string }>(
    'select id from vehicles where not active order by id',
  );
  return rows.map(({ id }) => id);
}

test('vehicles for which it fails do not keep it from the others, and are retried alone', async () => {
  const failing = [ids[3], ids[4], ids[19]] as string[];
  const added = await runJob(activating(failing), { provider: 'DE-ABC' });
  expect(await inactive()).toEqual(failing);
  expect(added).toEqual(failing.map((vehicleId) => ({ provider: 'DE-ABC', vehicleId })));
});

test('a retry of one vehicle fails with an error that names it', async () => {
  const [vehicleId] = ids as [string];
  const payload = { provider: 'DE-ABC', vehicleId };
  await expect(runJob(activating([vehicleId]), payload)).rejects.toThrow(vehicleId);
  expect(await runJob(activating([]), payload)).toEqual([]);
  expect(await inactive()).toEqual(ids.slice(1));
});

test('it fails as a whole when it fails for all vehicles, or when the database is unavailable', async () => {
  await expect(runJob(activating(ids), { provider: 'DE-ABC' })).rejects.toThrow('division by zero');
  const deadlock = "do $$ begin raise exception 'lost' using errcode = '40P01'; end $$";
  const job = activating(ids.slice(0, 1), deadlock);
  await expect(runJob(job, { provider: 'DE-ABC' })).rejects.toThrow('lost');
  expect(await inactive()).toEqual(ids);
});
