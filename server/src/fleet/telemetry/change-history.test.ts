import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { changeHistory } from './change-history.ts';

let service: TestService;
const id = 'DE*ABC*V0001';
const moments = 25_000;

beforeAll(async () => {
  service = await startTestService();
  await service.owner.queryUnprepared(`
    create function refuse_many() returns trigger language plpgsql as $$
      begin
        if (select count(*) from changed) > 10000 then raise 'too many rows'; end if;
        return null;
      end $$;
    create trigger refuse_many_updates after update on vehicle_history
      referencing old table as changed for each statement execute function refuse_many();
    create trigger refuse_many_deletions after delete on vehicle_history
      referencing old table as changed for each statement execute function refuse_many();`);
});
afterAll(() => service.stop());

const track = (trackGeolocation: boolean) =>
  service.call('PUT', `/${id}`, { information: { trackGeolocation } });
const count = async (condition: string) => {
  const [row] = await service.db.queryUnprepared<{ count: number }>(
    `select count(*)::int from vehicle_history where ${condition}`,
  );
  return row?.count;
};
/** Within one month, and one more moment some months before. */
const insertMoments = () =>
  service.db.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer, lat, lng)
     select 'DE-ABC', $1, date_trunc('month', now()) - interval '1 month' + age * interval '1 second', 1, 52.5, 13.4
     from generate_series(1, $2::int) age
     union all select 'DE-ABC', $1, now() - interval '5 months', 1, 52.5, 13.4`,
    [id, moments - 1],
  );

test('many positions of a month, and all else, go in statements of few rows each', async () => {
  await track(true);
  await insertMoments();
  expect((await track(false)).status).toBe(200);
  expect(await count('lat is not null')).toBe(0);
  expect(await count('odometer = 1')).toBe(moments);

  expect((await service.call('DELETE', `/${id}`)).status).toBe(204);
  expect(await count('true')).toBe(0);
});

test('what is outside of the period stays', async () => {
  await insertMoments();
  const times = await service.db.query<{ time: string }>(
    'select time from vehicle_history order by time offset 1',
  );
  const period = { from: times[100]?.time ?? '', before: times[20_000]?.time ?? '' };
  const erase = 'update vehicle_history set lat = null, lng = null where lat is not null';
  await service.db.transaction((tx) => changeHistory(tx, 'DE-ABC', [id], erase, period));
  const erased = await service.db.query<{ first: string; last: string; count: number }>(
    'select min(time) as first, max(time) as last, count(*)::int from vehicle_history where lat is null',
  );
  expect(erased).toEqual([{ first: times[100]?.time, last: times[19_999]?.time, count: 19_900 }]);
});
