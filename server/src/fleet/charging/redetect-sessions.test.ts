import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { charge, chargingCars, start } from '../../testing/charging-cars.ts';
import { hour, minute } from '../../testing/charging-streams.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { enqueueRedetections } from './redetect-sessions.ts';

let service: TestService;
let cars: ReturnType<typeof chargingCars>;
beforeAll(async () => {
  service = await startTestService();
  cars = chargingCars(service);
});
afterAll(() => service.stop());

let car: string;
beforeEach(async () => {
  car = await cars.make({ evBatteryCapacity: 77 });
});

const day = 24 * hour;
const instant = (time: number) => new Date(start + time).toISOString();

/** As the migration leaves all vehicles to the job. */
async function redetect() {
  await service.db.query(
    'insert into charging_redetections (provider, vehicle_id) select provider, id from vehicles',
  );
  await service.db.transaction((tx) => enqueueRedetections(tx, service.dependencies.jobs));
  await service.runJobs();
  expect(await service.db.query('select * from charging_redetections')).toEqual([]);
}

const change = (set: string, from: number) =>
  service.db.queryUnprepared(
    `update charging_sessions set ${set}
     where provider = 'DE-ABC' and vehicle_id = $1 and source = 'telemetry' and from_time = $2`,
    [car, instant(from)],
  );
const deleteDetected = (from: number) =>
  service.db.query(
    `delete from charging_sessions
     where provider = 'DE-ABC' and vehicle_id = $1 and source = 'telemetry' and from_time >= $2`,
    [car, instant(from)],
  );

test('one session of several charges is split, and its first part keeps the id', async () => {
  const nights = [0, day, 2 * day];
  for (const night of nights) await cars.send(car, ...charge(night));
  const detected = await cars.detected(car);
  expect(detected.map(({ from }) => from)).toEqual(nights);
  // As an earlier release told them.
  await deleteDetected(hour);
  const over = `to_time = '${instant(2 * day + hour)}', over_at = '${instant(2 * day + hour)}'`;
  await change(`${over}, charged_kwh = 46.2`, 0);
  await redetect();
  const again = await cars.detected(car);
  const withoutId = ({ id: _, ...session }: (typeof again)[number]) => session;
  expect(again.map(withoutId)).toEqual(detected.map(withoutId));
  expect(again[0]?.id).toBe(detected[0]?.id);
});

test('sessions that are told as they were keep their version', async () => {
  await cars.send(car, ...charge(0), ...charge(day));
  const rows = () =>
    service.db.query('select * from charging_sessions where vehicle_id = $1 order by from_time', [
      car,
    ]);
  const before = await rows();
  await redetect();
  expect(await rows()).toEqual(before);
});

test('what a person recorded stays, and still hides what was detected', async () => {
  await cars.send(car, ...charge(0), ...charge(day));
  const recorded = {
    fromDatetime: instant(-10 * minute),
    toDatetime: instant(30 * minute),
    chargedKWh: 12.5,
  };
  const { json } = await service.call('PUT', `/${car}/charging/mine`, recorded);
  await change('charged_kwh = 77', 0);
  await change('charged_kwh = 77', day);
  await redetect();
  expect((await service.call('GET', `/${car}/charging/mine`)).json).toEqual(json);
  const { items } = (await service.call('POST', `/${car}/charging`)).json;
  expect(items).toMatchObject([
    { fromDatetime: instant(day), chargedKWh: 4.62 },
    { id: 'mine', chargedKWh: 12.5 },
  ]);
});

test('the open session is continued from what was detected again', async () => {
  const [first, second, ...rest] = charge(0).map((sample, index) => ({
    ...sample,
    energyMeter: 100 + index,
  }));
  if (!first || !second) throw new Error('a charge has samples');
  await cars.send(car, first, second);
  // The state of an earlier release: it had added up what the meter rose by.
  await service.db.query(
    `update charging_states set state = state - 'metering' || '{"meter": 101, "meteredKwh": 9}'
     where vehicle_id = $1`,
    [car],
  );
  await redetect();
  await cars.send(car, ...rest);
  expect(await cars.detected(car)).toMatchObject([
    { from: 0, to: hour, chargedKwh: 6, energyBasis: 'measured' },
  ]);
});

test('one whose beginning is no longer in the history stays as it is', async () => {
  await cars.send(car, ...charge(0), ...charge(day));
  await change('charged_kwh = 77', 0);
  await change('charged_kwh = 77', day);
  await service.db.query('delete from vehicle_history where vehicle_id = $1 and time < $2', [
    car,
    instant(15 * minute),
  ]);
  await redetect();
  expect((await cars.detected(car)).map(({ from, chargedKwh }) => [from, chargedKwh])).toEqual([
    [0, 77],
    [day, 4.62],
  ]);
});

test('a vehicle that never charged has no session', async () => {
  await cars.send(car, { time: 0, level: 40 }, { time: day, level: 60 });
  await redetect();
  expect(await cars.detected(car)).toEqual([]);
});
