import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { writeVehicles } from '../vehicles/public.ts';

let service: TestService;
const vehicleId = 'DE*ABC*V0001';

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.call('DELETE', `/${vehicleId}`);
  await service.call('PUT', `/${vehicleId}`, { information: {} });
});

const hourAgo = Date.now() - 3_600_000;
const at = (minutes: number) => new Date(hourAgo + minutes * 60_000).toISOString();

function tell(...messages: object[]) {
  const sent = messages.map((message) => ({ vehicleId, ...message }));
  return service.call('POST', '/databox/messages', sent);
}

async function tyres() {
  const { status, json } = await service.call('GET', `/${vehicleId}/tyres`);
  expect(status).toBe(200);
  return json;
}

test('each tyre has the pressure that was told last, and the time of that message', async () => {
  await tell(
    {
      timestamp: at(0),
      tirePressureFrontLeft: 2.5,
      tirePressureFrontRight: 2.6,
      tirePressureRearLeft: 2.3,
      tirePressureRearRight: 2.4,
    },
    { timestamp: at(10), tirePressureFrontRight: 2.1 },
  );
  await service.call('PUT', `/${vehicleId}/status`, { timestamp: at(20), tirePressureRearLeft: 0 });
  await tell({ timestamp: at(30), odometer: 100 });
  expect(await tyres()).toEqual({
    frontLeft: { pressure: 2.5, measuredAt: at(0) },
    frontRight: { pressure: 2.1, measuredAt: at(10) },
    rearLeft: { pressure: 0, measuredAt: at(20) },
    rearRight: { pressure: 2.4, measuredAt: at(0) },
  });
});

test('a message that comes late changes neither the pressure nor the time of a newer one', async () => {
  await tell({ timestamp: at(10), tirePressureFrontLeft: 2.5 });
  await tell({ timestamp: at(5), tirePressureFrontLeft: 2.9, tirePressureRearRight: 2.4 });
  expect(await tyres()).toEqual({
    frontLeft: { pressure: 2.5, measuredAt: at(10) },
    rearRight: { pressure: 2.4, measuredAt: at(5) },
  });
});

test('a tyre whose pressure is not known is absent', async () => {
  expect(await tyres()).toEqual({});
  await tell({ timestamp: at(0), odometer: 100, tirePressureRearLeft: 2.3 });
  expect(await tyres()).toEqual({ rearLeft: { pressure: 2.3, measuredAt: at(0) } });
});

test('a pressure that was imported has the time of the import line, or none', async () => {
  const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
  const importStatus = (status: object) =>
    writeVehicles(service.writer, provider, [
      { asset: { id: vehicleId }, information: {}, status },
    ]);
  await importStatus({ lastUpdated: at(0), tirePressureFrontLeft: 2.5 });
  expect(await tyres()).toEqual({ frontLeft: { pressure: 2.5, measuredAt: at(0) } });
  await importStatus({ tirePressureFrontLeft: 2.6 });
  expect(await tyres()).toEqual({ frontLeft: { pressure: 2.6 } });
});

test('vehicles that are read at once each have their own tyres; one that is not known is a 404', async () => {
  const ids = ['V0001', 'V0002', 'V0003'].map((code) => `DE*ABC*${code}`);
  for (const [index, id] of ids.entries()) {
    await service.call('PUT', `/${id}`, { information: {} });
    await tell({ vehicleId: id, timestamp: at(index), tirePressureFrontLeft: 2 + index });
  }
  const answers = await Promise.all(
    [...ids, 'DE*ABC*nowhere'].map((id) => service.call('GET', `/${id}/tyres`)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 404]);
  expect(answers.slice(0, 3).map(({ json }) => json)).toEqual(
    ids.map((_, index) => ({ frontLeft: { pressure: 2 + index, measuredAt: at(index) } })),
  );
});
