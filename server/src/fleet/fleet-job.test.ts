import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openQueue } from '../platform/jobs/queue.ts';
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
beforeEach(() => service.db.query('update vehicles set active = false'));

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
  await service.db.transaction((tx) => job.run(payload, { ...service.dependencies, tx, jobs }));
  return added;
}

/** Runs the job and those that it adds. */
async function runAll(job: ReturnType<typeof fleetJob>, payload: object): Promise<void> {
  const waiting = [payload];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    waiting.push(...(await runJob(job, next)));
  }
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

const failWith = (code: string) =>
  `do $$ begin raise exception 'too slow' using errcode = '${code}'; end $$`;
const timeout = failWith('57014');

test.each([
  ['the statement timeout', timeout],
  ['that of a lock', failWith('55P03')],
])(
  'a step that meets %s is done in smaller ones, each its own transaction',
  async (_which, statement) => {
    const sizes: number[] = [];
    const job = fleetJob({
      name: 'activate',
      batchSize: 8,
      select: 'select id from vehicles where provider = $1 and id > $2 order by id limit $3',
      async run(providerId, vehicleIds, { tx }) {
        sizes.push(vehicleIds.length);
        await tx.query('update vehicles set active = true where provider = $1 and id = any($2)', [
          providerId,
          vehicleIds,
        ]);
        if (vehicleIds.length > 3) await tx.query(statement);
      },
    });
    await runAll(job, { provider: 'DE-ABC' });
    expect(await inactive()).toEqual([]);
    expect(sizes.slice(0, 4)).toEqual([8, 4, 2, 4]);
  },
);

test('one vehicle that meets it alone does not keep the job from the others, and is retried alone', async () => {
  const slow = ids[5] as string;
  const job = activating([slow], timeout);
  const waiting: object[] = [{ provider: 'DE-ABC' }];
  const retried: object[] = [];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const added of await runJob(job, next))
      ('vehicleId' in added ? retried : waiting).push(added);
  }
  expect(await inactive()).toEqual([slow]);
  expect(retried).toEqual([{ provider: 'DE-ABC', vehicleId: slow }]);
  await expect(runJob(job, { provider: 'DE-ABC', vehicleId: slow })).rejects.toThrow(slow);
});

test('a provider with many steps has one at a time, and another does not wait for them', async () => {
  const [other] = await makeFleet(service.db, 'FR', 'XYZ', 1);
  const running = new Map<string, () => void>();
  const most: number[] = [];
  const job = fleetJob({
    name: 'wait',
    select: 'select id from vehicles where provider = $1 and id > $2 order by id limit $3',
    run: (providerId, [first = '']) =>
      new Promise((resolve) => {
        running.set(`${providerId} ${first}`, resolve);
        most.push([...running.keys()].filter((key) => key.startsWith('DE-ABC')).length);
      }),
  });
  const queue = await openQueue(service.db, {
    kinds: [job],
    dependencies: () => service.dependencies,
    runsJobs: true,
    onError: (error) => expect.fail(String(error)),
  });
  const steps = ['', ...ids.slice(0, 3)].map((after) => ({ provider: 'DE-ABC', after }));
  for (const payload of [...steps, { provider: 'FR-XYZ' }])
    await service.db.transaction((tx) => queue.add(tx, job, payload));
  await queue.work();
  const otherKey = `FR-XYZ ${other?.asset.id}`;
  await expect.poll(() => running.has(otherKey), { timeout: 20_000 }).toBe(true);
  expect(running.size).toBe(2);
  for (let done = 0; done <= steps.length; done++) {
    await expect.poll(() => running.size, { timeout: 20_000 }).toBeGreaterThan(0);
    const [[key, finish] = ['', () => {}]] = running;
    running.delete(key);
    finish();
  }
  await queue.close();
  expect(Math.max(...most)).toBe(1);
});
