import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
const vehicle = '/DE*ABC*V1';

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.call('DELETE', vehicle);
  await service.call('PUT', vehicle, {
    information: { iceTankCapacity: 40, evBatteryCapacity: 10 },
  });
});

const hourAgo = Date.now() - 3_600_000;
const at = (minutes: number) => new Date(hourAgo + minutes * 60_000).toISOString();
const put = (minute: number, signals: object) =>
  service.call('PUT', `${vehicle}/status`, { timestamp: at(minute), ...signals });
const read = async () => (await service.call('GET', `${vehicle}/status`)).json;
const historyOf = async () =>
  (await service.call('POST', `${vehicle}/history`, { from: at(-1), resolution: 'raw' })).json
    .items;

const more = {
  speed: 87,
  heading: 271.5,
  altitude: -3,
  outsideTemperature: -3.5,
  batteryVoltage: 12.6,
  fuelConsumed: 3_120.4,
  stateOfCharge: 35,
};

test('every signal is read with its own time, and stands in the history', async () => {
  await put(0, { ...more, fuelLevel: 80, location: { lat: 1, lng: 2 } });
  await put(1, { speed: 90, isLocked: false });
  expect(await read()).toEqual({
    lastUpdated: at(1),
    signals: {
      ...Object.fromEntries(
        Object.entries(more).map(([name, value]) => [name, { value, measuredAt: at(0) }]),
      ),
      fuelLevel: { value: 80, measuredAt: at(0) },
      location: { value: { lat: 1, lng: 2 }, measuredAt: at(0) },
      speed: { value: 90, measuredAt: at(1) },
      isLocked: { value: false, measuredAt: at(1) },
    },
    extra: {},
  });
  expect(await historyOf()).toEqual([
    { time: at(0), ...more, fuelLevel: 80, location: { lat: 1, lng: 2 } },
    { time: at(1), speed: 90 },
  ]);
});

test('the vehicle item has none of the further signals', async () => {
  await put(0, { ...more, isLocked: true, extra: { rpm: 2_000 } });
  expect((await service.call('GET', vehicle)).json.status).toEqual({
    lastUpdated: at(0),
    isLocked: true,
  });
});

test('a vehicle without a message has no signal, and one that does not exist is a 404', async () => {
  expect(await read()).toEqual({ signals: {}, extra: {} });
  expect((await service.call('GET', '/DE*ABC*nowhere/status')).status).toBe(404);
});

describe('signals under extra', () => {
  test('are numbers, texts and booleans, each with its own time, and stand in the history', async () => {
    await put(1, { extra: { rpm: 2_000, driveMode: 'eco', 'obd:ready': true } });
    await put(2, { extra: { rpm: 1_800 } });
    const late = await put(0, { extra: { rpm: 900, gear: 3 } });
    expect(late.json.result).toBe('accepted');
    expect((await put(0, { extra: { rpm: 900, gear: 3 } })).json.result).toBe('duplicate');
    expect((await put(0, { extra: { rpm: 901 } })).json.result).toBe('stale');
    expect((await read()).extra).toEqual({
      rpm: { value: 1_800, measuredAt: at(2) },
      driveMode: { value: 'eco', measuredAt: at(1) },
      'obd:ready': { value: true, measuredAt: at(1) },
      gear: { value: 3, measuredAt: at(0) },
    });
    expect(await historyOf()).toEqual([
      { time: at(0), extra: { rpm: 901, gear: 3 } },
      { time: at(1), extra: { rpm: 2_000, driveMode: 'eco', 'obd:ready': true } },
      { time: at(2), extra: { rpm: 1_800 } },
    ]);
  });

  test('are 32 at most: of a message, and those that were measured last of a vehicle', async () => {
    const named = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, index]));
    expect((await put(0, { extra: named('a', 33) })).status).toBe(400);
    await put(2, { extra: named('b', 20) });
    await put(0, { extra: named('a', 32) });
    const names = Object.keys((await read()).extra).sort();
    expect(names).toHaveLength(32);
    expect(names.filter((name) => name.startsWith('b'))).toHaveLength(20);
  });

  test('of the names of JavaScript objects are signals like others', async () => {
    await put(0, { extra: { constructor: 1, toString: 'x' } });
    expect(Object.keys((await read()).extra).sort()).toEqual(['constructor', 'toString']);
  });
});

describe('what cannot be true', () => {
  test('is rejected signal by signal with the reason, and the rest of the message is kept', async () => {
    const { json } = await service.call('POST', '/databox/messages', [
      {
        vehicleId: vehicle.slice(1),
        timestamp: at(0),
        odometer: 1e12,
        tirePressureFrontLeft: 240,
        location: { lat: 0, lng: 0 },
        heading: 361,
        fuelLevel: 50,
      },
    ]);
    expect(json.results).toEqual([
      {
        index: 0,
        result: 'accepted',
        errors: [
          { pointer: '/odometer', detail: 'odometer must be from 0 to 10000000.' },
          {
            pointer: '/tirePressureFrontLeft',
            detail: 'tirePressureFrontLeft must be from 0 to 16.',
          },
          { pointer: '/heading', detail: 'heading must be from 0 to 360.' },
          {
            pointer: '/location',
            detail: 'location must not be 0/0, which receivers report without a fix.',
          },
        ],
      },
    ]);
    expect((await read()).signals).toEqual({ fuelLevel: { value: 50, measuredAt: at(0) } });
    expect(await historyOf()).toEqual([{ time: at(0), fuelLevel: 50 }]);
  });

  test('is named in the answer of a single message, too', async () => {
    const { json } = await put(0, { isLocked: true, tirePressureRearLeft: -1 });
    expect(json).toMatchObject({
      result: 'accepted',
      errors: [{ pointer: '/tirePressureRearLeft' }],
      status: { isLocked: true },
    });
  });

  test('and comes with nothing else is rejected', async () => {
    const message = { vehicleId: vehicle.slice(1), timestamp: at(0), odometer: -1 };
    const { json } = await service.call('POST', '/databox/messages', [message]);
    expect(json.results).toMatchObject([
      { result: 'rejected', reason: 'implausible', errors: [{ pointer: '/odometer' }] },
    ]);
    expect((await put(0, { odometer: -1 })).status).toBe(400);
    expect(await read()).toEqual({ signals: {}, extra: {} });
  });
});
