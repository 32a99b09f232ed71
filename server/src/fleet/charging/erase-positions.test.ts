import { expect, test } from 'vitest';
import { chargingCars, start } from '../../testing/charging-cars.ts';
import { hour } from '../../testing/charging-streams.ts';
import { startTestService } from '../../testing/test-service.ts';
import { eraseDrivenPositions } from './erase-positions.ts';

test('however many sessions follow a period, the history after it is read once for all of them', async ({
  onTestFinished,
}) => {
  const service = await startTestService();
  onTestFinished(service.stop);
  const cars = chargingCars(service);
  const car = await cars.make();
  const moments = 2_000;
  // Every other message ends a session. Positions come with the second half alone.
  await cars.send(
    car,
    { time: 0, location: { lat: 50, lng: 8 } },
    ...Array.from({ length: moments }, (_, index) => ({
      time: 2 * hour + index * 10_000,
      isPluggedIn: index % 2 === 0,
      isCharging: index % 2 === 0,
      ...(index >= moments / 2 && { location: { lat: 51, lng: 8 } }),
    })),
  );
  const instant = (time: number) => new Date(start + time).toISOString();
  const period = { vehicleId: car, from: instant(-hour), to: instant(hour) };
  const [read] = await service.db.transaction(async (tx) => {
    const { clock } = service.dependencies;
    const context = { ...service.dependencies, tx, clock };
    await eraseDrivenPositions({ providerId: 'DE-ABC', periods: [period] }, context);
    return tx.query<{ rows: number }>(
      `select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows
       from pg_stat_xact_user_tables where relname like 'vehicle_history%'`,
    );
  });
  const places = (await cars.detected(car)).map(({ location }) => location?.lat);
  expect(places).toHaveLength(moments / 2);
  expect(places.slice(0, moments / 4)).toEqual(Array(moments / 4).fill(undefined));
  expect(places.slice(moments / 4)).toEqual(Array(moments / 4).fill(51));
  expect(read?.rows).toBeLessThan(3 * moments);
});
