import { afterAll, beforeAll, expect, test } from 'vitest';
import { charge, chargingCars, start } from '../../testing/charging-cars.ts';
import { hour, minute } from '../../testing/charging-streams.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { closeSilentCharging } from './close-silent-charging.ts';

let service: TestService;
let cars: ReturnType<typeof chargingCars>;
beforeAll(async () => {
  service = await startTestService();
  cars = chargingCars(service);
});
afterAll(() => service.stop());

async function close() {
  await service.dependencies.jobs.add(service.db, closeSilentCharging, {});
  await service.runJobs();
}

test('a silent session is ended at its last signal after a day, and continues when its messages were only delayed', async () => {
  const car = await cars.make();
  await cars.send(car, ...charge(0).slice(0, 3));
  expect(await cars.detected(car)).toMatchObject([{ from: 0, to: undefined, toLevel: undefined }]);
  await close();
  const [ended] = await cars.detected(car);
  expect(ended).toMatchObject({
    from: 0,
    to: 20 * minute,
    fromLevel: 40,
    toLevel: 42,
    chargedKwh: 1,
  });
  await close();
  expect(await cars.detected(car)).toEqual([ended]);

  await cars.send(car, ...charge(0).slice(3, 5));
  expect(await cars.detected(car)).toMatchObject([
    { id: ended?.id, from: 0, to: undefined, chargedKwh: 2 },
  ]);
  await cars.send(car, ...charge(0).slice(5));
  expect(await cars.detected(car)).toMatchObject([
    { id: ended?.id, from: 0, to: hour, toLevel: 46 },
  ]);
});

test('one with a message within a day is not ended, nor is a recorded one', async () => {
  const car = await cars.make();
  const recently = Date.now() - start - hour;
  await cars.send(car, { time: recently, isCharging: true, level: 40 });
  await service.call('PUT', `/${car}/charging/mine`, {
    fromDatetime: new Date(start).toISOString(),
  });
  await close();
  expect(await cars.detected(car)).toMatchObject([{ from: recently, to: undefined }]);
  const { json } = await service.call('POST', `/${car}/charging`);
  expect(json.items.map(({ toDatetime }: { toDatetime?: string }) => toDatetime)).toEqual([
    undefined,
    undefined,
  ]);
});
