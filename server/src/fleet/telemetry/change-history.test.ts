import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
const vehicle = '/DE*ABC*V0001';

beforeAll(async () => {
  service = await startTestService({ statementTimeoutMs: 1_500 });
  await service.owner.query(
    `create function delay_change() returns trigger language plpgsql as
     'begin perform pg_sleep(0.25); return coalesce(new, old); end'`,
  );
  await service.owner.query(
    `create trigger delay_change before update or delete on vehicle_history
     for each row execute function delay_change()`,
  );
});
afterAll(() => service.stop());

const track = (trackGeolocation: boolean) =>
  service.call('PUT', vehicle, { information: { trackGeolocation } });
const left = (condition: string) =>
  service.db.queryUnprepared(`select from vehicle_history where ${condition}`);

// All of it would take 2 s, which is more than a statement has.
test('years of positions, and of all else, go in steps that each have time enough', async () => {
  await track(true);
  await service.db.query(
    `insert into vehicle_history (provider, vehicle_id, time, odometer, lat, lng)
     select 'DE-ABC', 'DE*ABC*V0001', now() - age * interval '1 month', 1, 52.5, 13.4
     from generate_series(0, 7) age`,
  );
  expect((await track(false)).status).toBe(200);
  expect(await left('lat is not null')).toEqual([]);
  expect(await left('odometer = 1')).toHaveLength(8);

  expect((await service.call('DELETE', vehicle)).status).toBe(204);
  expect(await left('true')).toEqual([]);
});
