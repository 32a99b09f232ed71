import { afterAll, beforeAll, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleVehicle, writeVehicles } from '../vehicles/public.ts';

let service: TestService;
const ids = Array.from({ length: 12 }, (_, index) => `DE*ABC*C${String(index).padStart(2, '0')}`);
const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const hourAgo = Date.now() - 3_600_000;
const at = (minutes: number) => new Date(hourAgo + minutes * 60_000).toISOString();

function makeVehicles(some: readonly string[] = ids) {
  const { information } = exampleVehicle;
  const lines = some.map((id) => ({
    asset: { id },
    information: { ...information, vin: id },
    status: {},
  }));
  return service.db.transaction((tx) => writeVehicles(quietWriter(tx), provider, lines));
}

async function send(messages: object[]) {
  const { json } = await service.call('POST', '/databox/messages', messages);
  return json.counts;
}

test('two writers at once, in opposite orders, on the same vehicles: nothing is lost, nobody blocks', async () => {
  await makeVehicles();
  const batches = Array.from({ length: 16 }, (_, batch) => {
    const messages = ids.map((vehicleId, index) => ({
      vehicleId,
      timestamp: at(batch),
      ...(batch % 2 === 0 ? { odometer: batch + index } : { fuelLevel: batch }),
      isCharging: batch % 5 === 0,
      isPluggedIn: true,
      reach: batch,
    }));
    return batch % 2 === 0 ? messages : messages.toReversed();
  });
  const counts = await Promise.all(batches.map(send));
  for (const { rejected, duplicate } of counts) expect([rejected, duplicate]).toEqual([0, 0]);
  for (const [index, id] of ids.entries()) {
    expect((await service.call('GET', `/${id}`)).json.status).toMatchObject({
      lastUpdated: at(15),
      odometer: 14 + index,
      fuelLevel: 15,
      reach: 15,
    });
  }
  const [{ rows } = { rows: 0 }] = await service.db.queryUnprepared<{ rows: number }>(
    'select count(*) as rows from vehicle_history',
  );
  expect(rows).toBe(16 * ids.length);
});

test('imports in any order of their lines and messages do not block each other', async () => {
  const many = Array.from({ length: 400 }, (_, index) => `DE*ABC*M${index}`);
  await makeVehicles(many);
  const busy = Array.from({ length: 8 }, (_, round) => [
    send(many.map((vehicleId) => ({ vehicleId, timestamp: at(100 + round), odometer: round }))),
    makeVehicles(round % 2 === 0 ? many : many.toReversed()),
  ]);
  await Promise.all(busy.flat());
});

test('a vehicle that is deleted while messages come leaves nothing behind, and no call fails', async () => {
  for (let round = 0; round < 6; round++) {
    await makeVehicles();
    const doomed = ids.filter((_, index) => index % 4 === round % 4);
    const messages = (second: number) =>
      ids.map((vehicleId) => ({
        vehicleId,
        timestamp: at(200 + second),
        odometer: second,
        isCharging: true,
        nextServiceDistance: second * 1_000,
      }));
    const [statuses] = await Promise.all([
      Promise.all(doomed.map(async (id) => (await service.call('DELETE', `/${id}`)).status)),
      ...Array.from({ length: 6 }, (_, index) => send(messages(round * 6 + index))),
    ]);
    expect(new Set(statuses)).toEqual(new Set([204]));
    for (const table of ['vehicle_statuses', 'vehicle_history', 'charging_sessions']) {
      const left = await service.db.queryUnprepared(
        `select 1 from ${table} where provider = 'DE-ABC' and vehicle_id = any($1)`,
        [doomed],
      );
      expect(left, table).toEqual([]);
    }
  }
});
