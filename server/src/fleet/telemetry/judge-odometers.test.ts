import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { judgeOdometers } from './judge-odometers.ts';
import { odometerStore } from './odometer-store.ts';
import type { ChangedOdometers } from './odometer-walk.ts';

const provider = 'DE-ABC';
const begin = Date.now() - 20 * 86_400_000;
const at = (index: number) => begin + index * 60_000;
const readingsEach = 600;
const vehicleIds = Array.from({ length: 12 }, (_, index) => `DE*ABC*M${index}`);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  // Each fiftieth reading falls to 0.
  await service.db.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer)
     select $1, id, $3::timestamptz + index * interval '1 minute',
       case when index % 50 = position then 0 else 1000 + index end
     from unnest($2::text[]) with ordinality as vehicle (id, position), generate_series(1, $4::int) index`,
    [provider, vehicleIds, new Date(begin), readingsEach],
  );
});
afterAll(() => service.stop());

/** Runs `work`; returns its result, and how many rows each of its statements returned. */
async function counted<Result>(work: (tx: Queryable) => Promise<Result>) {
  const rows: number[] = [];
  const result = await service.db.transaction((tx) => {
    const query: Queryable['query'] = async <Row>(text: string, values?: readonly unknown[]) => {
      const returned = await tx.query<Row>(text, values);
      rows.push(returned.length);
      return returned;
    };
    return work({ ...tx, query });
  });
  return { result, rows };
}

/** Refuses statements that change more than a page and what is merged together. */
const refuseMany = `
  create function refuse_many() returns trigger language plpgsql as $$
    begin
      if (select count(*) from changed) > 5100 then raise 'too many rows'; end if;
      return null;
    end $$;
  create trigger refuse_many after update on vehicle_history
    referencing old table as changed for each statement execute function refuse_many();`;

const doubtful = (vehicleId: string) =>
  service.db.query<{ odometer: number; count: number }>(
    `select odometer, count(*)::int from vehicle_history
     where provider = $1 and vehicle_id = $2 and odometer_confirmed is false group by 1`,
    [provider, vehicleId],
  );

test('long walks of many vehicles are read in parts, and each is judged', async () => {
  // Without the time of the status, all readings are walked through.
  const vehicles = vehicleIds.map(
    (vehicleId): ChangedOdometers => ({
      vehicleId,
      changed: new Map([[at(0), 1_000]]),
      sent: new Set([at(0)]),
      status: {},
      newest: at(readingsEach),
    }),
  );
  const { result, rows } = await counted((tx) =>
    judgeOdometers(odometerStore(tx, provider), vehicles),
  );
  expect(Math.max(...rows)).toBeLessThanOrEqual(4_096);
  expect(rows.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(
    vehicleIds.length * readingsEach,
  );
  expect([...result.keys()]).toEqual(vehicleIds);
  for (const [index, vehicleId] of vehicleIds.entries()) {
    const falls = { first: at(index + 1), last: at(index + 1 + readingsEach - 50) };
    expect(result.get(vehicleId)).toMatchObject({
      confirmed: new Map([[at(0), { odometer: 1_000, confirmed: null }]]),
      rejudged: [falls],
      deferred: [],
      last: { undoubted: { odometer: 1_000 + readingsEach } },
    });
    expect(await doubtful(vehicleId)).toEqual([{ odometer: 0, count: readingsEach / 50 }]);
  }
});

test('a late reading that turns all verdicts is told as a period, and marked in parts', async () => {
  await service.owner.queryUnprepared(refuseMany);
  const vehicleId = 'DE*ABC*TURN';
  const count = 20_000;
  await service.db.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer, odometer_confirmed)
     select $1, $2, $3::timestamptz + index * interval '1 minute',
       case when index % 2 = 0 then 100000 else 0 end, case when index % 2 = 0 then false end
     from generate_series(1, $4::int) index`,
    [provider, vehicleId, new Date(begin), count],
  );
  const [last, doubted] = [
    { time: at(count - 1), odometer: 0 },
    { time: at(count), odometer: 100_000 },
  ];
  const vehicle: ChangedOdometers = {
    vehicleId,
    changed: new Map([[at(0), 100_000]]),
    sent: new Set([at(0)]),
    status: { ...last, doubted },
    newest: at(count),
  };
  const judged = await service.db.transaction((tx) =>
    judgeOdometers(odometerStore(tx, provider), [vehicle]),
  );
  expect(judged.get(vehicleId)).toEqual({
    confirmed: new Map([[at(0), { odometer: 100_000, confirmed: null }]]),
    rejudged: [{ first: at(1), last: at(count) }],
    deferred: [],
    last: { undoubted: doubted },
  });
  expect(await doubtful(vehicleId)).toEqual([{ odometer: 0, count: count / 2 }]);
});
