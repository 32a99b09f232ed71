import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { enqueueJudging } from './judge-later.ts';
import { type Confirmed, judge, type OdometerState } from './odometer-doubt.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const begin = Date.now() - 20 * 86_400_000;
const at = (seconds: number) => new Date(begin + seconds * 1_000).toISOString();

async function sendAll(vehicleId: string, readings: readonly (readonly [number, number])[]) {
  const messages = readings.map(([second, odometer]) => ({
    vehicleId,
    timestamp: at(second),
    odometer,
  }));
  const { json } = await service.call('POST', '/databox/messages', messages);
  expect(json.counts.rejected).toBe(0);
}
const send = (vehicleId: string, second: number, odometer: number) =>
  sendAll(vehicleId, [[second, odometer]]);

async function statusOf(id: string) {
  const [status] = await service.db.query(
    'select odometer, odometer_at, doubted_odometer, doubted_odometer_at from vehicle_statuses where vehicle_id = $1',
    [id],
  );
  return status;
}

/** A vehicle whose every other reading is in doubt, all of which an earlier one turns over. */
async function addTurning(id: string, count: number) {
  await service.call('PUT', `/${id}`, { information: {} });
  await service.db.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer, odometer_confirmed)
     select 'DE-ABC', $1, $2::timestamptz + index * interval '1 second',
       case when index % 2 = 0 then 100000 else 0 end, case when index % 2 = 0 then false end
     from generate_series(1, $3::int) index`,
    [id, at(0), count],
  );
  await service.db.query(
    `update vehicle_statuses set odometer = 0, odometer_at = $2, doubted_odometer = 100000,
       doubted_odometer_at = $3, last_updated = $3, history_until = $3
     where vehicle_id = $1`,
    [id, at(count - 1), at(count)],
  );
}

test('of a history that a late odometer turns over, a request judges a part, and jobs the rest', async () => {
  const id = 'DE*ABC*LONG';
  // More than a request judges.
  const count = 60_000;
  await addTurning(id, count);
  const turned = async () => {
    const [row] = await service.db.query<{ count: number }>(
      `select count(*)::int from vehicle_history
       where vehicle_id = $1 and (odometer = 0) = (odometer_confirmed is not null)`,
      [id],
    );
    return row?.count;
  };
  await send(id, 0, 100_000);
  expect(await turned()).toBeGreaterThan(5_000);
  expect(await turned()).toBeLessThan(count);
  // Judged by what is known until the jobs have run.
  await send(id, count + 1, 0);
  expect(await statusOf(id)).toMatchObject({ odometer: 0, odometer_at: at(count + 1) });

  await service.runJobs();
  expect(await turned()).toBe(count + 2);
  expect(await statusOf(id)).toEqual({
    odometer: 100_000,
    odometer_at: at(count),
    doubted_odometer: 0,
    doubted_odometer_at: at(count + 1),
  });
});

test('however many late odometers a batch has of a vehicle, one job judges the rest', async () => {
  const id = 'DE*ABC*MANY';
  const count = 60_000;
  await addTurning(id, count);
  // Some agree with their neighbours, others with none.
  const late = Array.from(
    { length: 200 },
    (_, index) => [index * 299.5, index % 3 === 0 ? 50_000 : 100_000] as const,
  );
  await sendAll(id, late);
  const jobs = await service.owner.query(
    `select from pgboss.job where name = 'judge-odometers' and state < 'active'`,
  );
  expect(jobs).toHaveLength(1);

  await service.runJobs();
  const stored = await service.db.query<{ time: number; odometer: number; confirmed: Confirmed }>(
    `select (extract(epoch from time) * 1000)::float8 as time, odometer, odometer_confirmed as confirmed
     from vehicle_history where vehicle_id = $1 order by 1`,
    [id],
  );
  expect(stored.length).toBeGreaterThan(count);
  const expected: Confirmed[] = [];
  let state: OdometerState = {};
  for (const reading of stored) {
    const judged = judge(state, reading);
    if (judged.nowConfirmed) expected[expected.length - 1] = true;
    expected.push(judged.confirmed);
    state = judged.state;
  }
  expect(stored.filter(({ confirmed }, index) => confirmed !== expected[index])).toEqual([]);
});

test('of a vehicle one job waits, which judges the stretches of all batches', async () => {
  const { dependencies } = service;
  const stretches = [
    [500, 600],
    [100, 200],
    [300, 900],
  ] as const;
  for (const [from, until] of stretches) {
    const walks = [{ vehicleId: 'DE*ABC*WIDE', from, until }];
    await dependencies.db.transaction((tx) =>
      enqueueJudging({ providerId: 'DE-ABC', walks }, { ...dependencies, tx }),
    );
  }
  const waiting = await service.owner.query(
    `select data from pgboss.job where name = 'judge-odometers' and state < 'active'`,
  );
  const data = { provider: 'DE-ABC', vehicleId: 'DE*ABC*WIDE', from: 100, until: 900 };
  expect(waiting).toEqual([{ data }]);
  await service.runJobs();
});
