import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleVehicle, writeVehicles } from '../vehicles/public.ts';

/** Most messages are taken as they are, the rest is merged with what is known: the outcome is one. */

let service: TestService;
const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const hourAgo = Date.now() - 3_600_000;
const at = (second: number) => new Date(hourAgo + second * 1_000).toISOString();

type Sent = { second: number; [signal: string]: unknown };

async function send(vehicleId: string, sent: readonly Sent[]) {
  const messages = sent.map(({ second, ...signals }) => ({
    vehicleId,
    timestamp: at(second),
    ...signals,
  }));
  const { json } = await service.call('POST', '/databox/messages', messages);
  expect(json.counts.rejected).toBe(0);
}

async function makeVehicle(id: string) {
  await service.call('DELETE', `/${id}`);
  await service.call('PUT', `/${id}`, { information: { evBatteryCapacity: 77 } });
}

/** All that messages say of a vehicle, as it is kept; what is planned from it depends on their order. */
async function keptOf(id: string) {
  const [status] = await service.db.queryUnprepared<Record<string, unknown>>(
    'select * from vehicle_statuses where vehicle_id = $1',
    [id],
  );
  const planned = ['vehicle_id', 'charging', 'next_service_odometer', 'replan_at_odometer'];
  const signals = Object.entries(status ?? {}).filter(([name]) => !planned.includes(name));
  const history = await service.db.queryUnprepared<Record<string, unknown>>(
    'select * from vehicle_history where vehicle_id = $1 order by time',
    [id],
  );
  return {
    signals: Object.fromEntries(signals),
    history: history.map(({ vehicle_id: _, ...moment }) => moment),
  };
}

const sentMessage: fc.Arbitrary<Sent> = fc
  .record(
    {
      second: fc.nat(20),
      odometer: fc.nat(3),
      fuelLevel: fc.nat(3),
      location: fc.record({ lat: fc.nat(2), lng: fc.nat(2) }),
      isLocked: fc.boolean(),
      isCharging: fc.boolean(),
      energyMeter: fc.nat(3),
      nextServiceDistance: fc.nat(3),
      nextServiceDate: fc.constantFrom('2027-01-01', '2027-02-01'),
    },
    { requiredKeys: ['second', 'isLocked'] },
  )
  .map((one) => one as Sent);

test('one by one in their order, or in any other and any batches: what is kept is the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(sentMessage, fc.nat(100), fc.nat(3)), { minLength: 1, maxLength: 12 }),
      async (all) => {
        await makeVehicle('DE*ABC*ONE');
        await makeVehicle('DE*ABC*ANY');
        const inOrder = all.map(([one]) => one).toSorted((a, b) => a.second - b.second);
        for (const one of inOrder) await send('DE*ABC*ONE', [one]);
        const shuffled = all.toSorted(([, a], [, b]) => a - b);
        for (const batch of Map.groupBy(shuffled, ([, , number]) => number).values()) {
          await send(
            'DE*ABC*ANY',
            batch.map(([one]) => one),
          );
        }
        expect(await keptOf('DE*ABC*ANY')).toEqual(await keptOf('DE*ABC*ONE'));
      },
    ),
    { numRuns: 25 },
  );
});

test('after an import that knows no times, what was received before may come again', async () => {
  const id = 'DE*ABC*BACK';
  await makeVehicle(id);
  await send(id, [{ second: 10, odometer: 5, isLocked: true }]);
  await send(id, [{ second: 20, odometer: 6, isLocked: true }]);
  const line = { asset: { id }, information: exampleVehicle.information, status: { odometer: 7 } };
  await writeVehicles(quietWriter(service.db), provider, [line]);
  await send(id, [{ second: 10, odometer: 5 }]);
  await send(id, [{ second: 20, odometer: 6, fuelLevel: 50 }]);
  await send(id, [{ second: 15, odometer: 5.5 }]);
  const { signals, history } = await keptOf(id);
  expect(signals).toMatchObject({ odometer: 6, fuel_level: 50, odometer_at: at(20) });
  expect(history).toMatchObject([
    { time: at(10), odometer: 5 },
    { time: at(15), odometer: 5.5 },
    { time: at(20), odometer: 6, fuel_level: 50 },
  ]);
});

test('one vehicle in 10,000 messages, and again in the opposite order, keeps every moment once', async () => {
  const id = 'DE*ABC*MANY';
  await makeVehicle(id);
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    second: index / 10,
    odometer: index,
    ...(index % 3 === 0 && { fuelLevel: index % 100 }),
  }));
  await send(id, many);
  const { json } = await service.call(
    'POST',
    '/databox/messages',
    many
      .toReversed()
      .map(({ second, ...signals }) => ({ vehicleId: id, timestamp: at(second), ...signals })),
  );
  expect(json.counts).toEqual({ accepted: 0, stale: 0, duplicate: 10_000, rejected: 0 });
  const { signals, history } = await keptOf(id);
  expect(history).toHaveLength(10_000);
  expect(signals).toMatchObject({
    odometer: 9_999,
    odometer_at: at(999.9),
    fuel_level_at: at(999.9),
    last_updated: at(999.9),
    history_until: at(999.9),
  });
});

test('more messages of a vehicle than are merged together: what is kept is the same', async () => {
  const messages = Array.from({ length: 2_500 }, (_, index) => ({
    second: (index * 7) % 1_900,
    isLocked: index % 3 > 0,
    odometer: index % 50,
    extra: { [`signal${index % 40}`]: index % 5 },
  }));
  await makeVehicle('DE*ABC*PARTS');
  await makeVehicle('DE*ABC*WHOLE');
  for (let from = 0; from < messages.length; from += 500)
    await send('DE*ABC*PARTS', messages.slice(from, from + 500));
  await send('DE*ABC*WHOLE', messages);
  expect(await keptOf('DE*ABC*WHOLE')).toEqual(await keptOf('DE*ABC*PARTS'));
});
