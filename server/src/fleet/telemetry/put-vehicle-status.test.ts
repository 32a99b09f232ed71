import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleVehicle, writeVehicles } from '../vehicles/public.ts';
import { signalNames } from './signals.ts';

let service: TestService;
const vehicle = '/DE*ABC*V0001';
const { lastUpdated: _, ...everySignal } = exampleVehicle.status;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.call('DELETE', vehicle);
  await service.call('PUT', vehicle, { information: { evBatteryCapacity: 77 } });
});

const hourAgo = Date.now() - 3_600_000;
const at = (minutes: number) => new Date(hourAgo + minutes * 60_000).toISOString();

function put(body: object, path = vehicle) {
  return service.call('PUT', `${path}/status`, body);
}

test('every signal is kept, answered, and found again with the vehicle', async () => {
  const more = {
    energyMeter: 1_204.5,
    stateOfCharge: 61,
    speed: 87,
    heading: 271.5,
    altitude: -3,
    outsideTemperature: -3.5,
    batteryVoltage: 12.6,
    fuelConsumed: 3_120.4,
  };
  const { status, json } = await put({ timestamp: at(0), ...everySignal, ...more });
  expect([status, json]).toEqual([
    200,
    { result: 'accepted', status: { lastUpdated: at(0), ...everySignal } },
  ]);
  expect((await service.call('GET', vehicle)).json.status).toEqual(json.status);
  const [kept] = await service.db.query<Record<string, unknown>>('select * from vehicle_statuses');
  const times = Object.entries(kept ?? {}).filter(
    ([name]) => name.endsWith('_at') && name !== 'doubted_odometer_at',
  );
  expect(times.map(([, time]) => time)).toEqual(signalNames.map(() => at(0)));
  expect(kept).toMatchObject({
    energy_meter: 1_204.5,
    state_of_charge: 61,
    outside_temperature: -3.5,
    next_service_odometer: 45_210 + 8_400,
  });
});

test('the state of charge is stored beside the level of the tank, and the vehicle item has the level alone', async () => {
  const { json } = await put({ timestamp: at(0), fuelLevel: 80, stateOfCharge: 35 });
  expect(json.status).toEqual({ lastUpdated: at(0), fuelLevel: 80 });
  const history = await service.db.query(
    'select fuel_level, state_of_charge from vehicle_history where vehicle_id = $1',
    [vehicle.slice(1)],
  );
  expect(history).toEqual([{ fuel_level: 80, state_of_charge: 35 }]);
});

test('a message that comes late fills what is missing and overwrites nothing that is newer', async () => {
  await put({ timestamp: at(10), odometer: 100, isLocked: true });
  const late = await put({ timestamp: at(5), odometer: 90, fuelLevel: 50 });
  expect(late.json).toEqual({
    result: 'accepted',
    status: { lastUpdated: at(10), odometer: 100, isLocked: true, fuelLevel: 50 },
  });
  const stale = await put({ timestamp: at(6), odometer: 95, isLocked: false });
  expect(stale.json).toEqual({ result: 'stale', status: late.json.status });
  const again = await put({ timestamp: at(6), odometer: 95, isLocked: false });
  expect(again.json).toEqual({ result: 'duplicate', status: late.json.status });
  const { json } = await service.call('POST', `${vehicle}/history`, {
    from: at(0),
    resolution: 'raw',
  });
  expect(json.items).toEqual([
    { time: at(5), odometer: 90, fuelLevel: 50 },
    { time: at(6), odometer: 95 },
    { time: at(10), odometer: 100 },
  ]);
});

test('of two values for the same moment the greater stays, whichever comes first', async () => {
  for (const [minute, [first, second]] of [
    [90, 100],
    [100, 90],
  ].entries()) {
    await put({ timestamp: at(minute), odometer: first, location: { lat: 1, lng: first } });
    const { json } = await put({
      timestamp: at(minute),
      odometer: second,
      location: { lat: 1, lng: second },
    });
    expect(json.status).toMatchObject({ odometer: 100, location: { lat: 1, lng: 100 } });
  }
});

test('a timestamp counts to the millisecond, whatever its offset', async () => {
  const day = at(0).slice(0, 10);
  const early = await put({ timestamp: `${day}T00:00:00.1239Z`, isLocked: true });
  expect(early.json.status.lastUpdated).toBe(`${day}T00:00:00.123Z`);
  const same = await put({ timestamp: `${day}t01:30:00.1234567+0130`, isLocked: true });
  expect(same.json.result).toBe('duplicate');
});

test('a timestamp more than 5 minutes ahead, or before the history, is refused and named', async () => {
  const { historyDays } = service.dependencies.settings;
  const from = (ms: number) => new Date(Date.now() + ms).toISOString();
  for (const timestamp of [
    from(6 * 60_000),
    '9999-12-31T23:59:59Z',
    from(-historyDays * 86_400_000 - 60_000),
    '0001-01-01T00:00:00Z',
  ]) {
    const { status, json } = await put({ timestamp, odometer: 1 });
    expect(status, timestamp).toBe(400);
    expect(json.errors[0].pointer).toBe('/timestamp');
    expect((await put({ timestamp, odometer: 1 }, '/DE*ABC*nowhere')).status).toBe(404);
  }
  for (const timestamp of [from(4 * 60_000), from(-historyDays * 86_400_000 + 60_000)]) {
    expect((await put({ timestamp, odometer: 1 })).status).toBe(200);
  }
});

test('a message without a signal, without a time, or with what is no signal is refused, every issue named', async () => {
  for (const [body, ...pointers] of [
    [{ timestamp: at(0) }, ''],
    [{}, '/timestamp', ''],
    [{ odometer: 1 }, '/timestamp'],
    [{ timestamp: at(0), lastUpdated: at(0) }, '/lastUpdated', ''],
    [
      { timestamp: at(0), odometer: -1, fuelLevel: 101, location: { lat: 91, lng: 0 } },
      '/location',
      '/odometer',
      '/fuelLevel',
    ],
    [
      { timestamp: 'now', energyMeter: '1', isLocked: 'yes' },
      '/timestamp',
      '/isLocked',
      '/energyMeter',
    ],
    [{ timestamp: at(0), extra: { 'not a name': 1 } }, '/extra'],
    [{ timestamp: at(0), extra: { nested: {} } }, '/extra/nested'],
    [{ timestamp: at(0), extra: {} }, ''],
    [{ timestamp: at(0), location: { lat: 1 } }, '/location/lng'],
    [{ timestamp: at(0), nextServiceDate: '2027-02-29' }, '/nextServiceDate'],
  ] as [object, ...string[]][]) {
    const { status, json } = await put(body);
    expect(status, JSON.stringify(body)).toBe(400);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual(
      pointers.sort(),
    );
  }
});

test('no value that the schema allows is too much for a vehicle that exists', async () => {
  const extremes = [0, 1e-320, 1.7e308];
  for (const [minute, one] of extremes.entries()) {
    for (const [half, signed] of [one, -one].entries()) {
      const { status } = await put({
        timestamp: at(minute * 2 + half),
        odometer: one,
        reach: one,
        energyMeter: one,
        fuelLevel: half * 100,
        isCharging: true,
        isPluggedIn: true,
        tirePressureFrontLeft: signed,
        nextServiceDistance: signed,
        nextServiceDate: half ? '0001-01-01' : '9999-12-31',
        location: { lat: half ? -90 : 90, lng: half ? -180 : 180 },
      });
      expect(status).toBe(200);
    }
  }
  const past = await service.call('POST', `${vehicle}/history`, { from: at(0) });
  expect(past.json.pagination.totalEntries).toBeGreaterThan(0);
});

test('when the vehicle reports another next service, or passes an odometer, it is planned again', async () => {
  const reports = async () => {
    const { json } = await service.call('POST', '/maintenance', {});
    return Object.values(json.items) as Record<string, unknown>[];
  };
  const day = (days: number) => at((days - 10) * 1_440);
  await put({ timestamp: day(0), odometer: 1_000, nextServiceDistance: 9_000 });
  expect(await reports()).toMatchObject([
    { source: 'vehicle', dueOdometer: 10_000, status: 'planned' },
  ]);
  await put({ timestamp: day(1), odometer: 1_000.4, nextServiceDistance: 9_000 });
  expect(await reports()).toMatchObject([{ dueOdometer: 10_000 }]);
  await put({ timestamp: day(2.5), odometer: 9_000 });
  expect(await reports()).toMatchObject([{ dueOdometer: 10_000, status: 'due_soon' }]);
  await put({ timestamp: day(3), odometer: 10_001 });
  expect(await reports()).toMatchObject([{ dueOdometer: 10_000, status: 'overdue' }]);
  // A box that was wrong, and is put right: at the second reading.
  await put({ timestamp: day(3.4), odometer: 9_500 });
  expect(await reports()).toMatchObject([{ dueOdometer: 10_000, status: 'overdue' }]);
  await put({ timestamp: day(3.5), odometer: 9_501 });
  expect(await reports()).toMatchObject([{ dueOdometer: 10_000, status: 'due_soon' }]);
  await put({ timestamp: day(4), odometer: 10_002, nextServiceDistance: 20_000 });
  expect(await reports()).toMatchObject([{ dueOdometer: 30_002, status: 'planned' }]);
  await put({ timestamp: day(5), nextServiceDate: '2020-01-01' });
  expect(await reports()).toMatchObject([{ dueDate: '2020-01-01', status: 'overdue' }]);
});

test('a distance to the next service that comes late, without an odometer, counts from the one of its time', async () => {
  const day = (days: number) => at((days - 10) * 1_440);
  await put({ timestamp: day(0), odometer: 1_000 });
  await put({ timestamp: day(4), odometer: 3_000 });
  await put({ timestamp: day(1), nextServiceDistance: 9_000 });
  const { json } = await service.call('POST', '/maintenance', {});
  expect(Object.values(json.items)).toMatchObject([{ source: 'vehicle', dueOdometer: 10_000 }]);
});

test('what an import leaves out or clears has no time: a message that comes late fills it', async () => {
  const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
  const line = (status: object) => ({ asset: { id: 'DE*ABC*V0001' }, information: {}, status });
  const named = ['asset.id', 'status.lastUpdated', 'status.odometer', 'status.fuelLevel'];
  await put({ timestamp: at(9), fuelLevel: 50, isLocked: true });
  await writeVehicles(
    quietWriter(service.db),
    provider,
    [line({ lastUpdated: at(10), odometer: 7 })],
    named,
  );
  const late = await put({ timestamp: at(5), odometer: 6, fuelLevel: 40, isLocked: false });
  expect(late.json).toMatchObject({
    result: 'accepted',
    status: { odometer: 7, fuelLevel: 40, isLocked: true },
  });

  await writeVehicles(
    quietWriter(service.db),
    provider,
    [line({ odometer: 8 })],
    ['asset.id', 'status.odometer'],
  );
  expect((await put({ timestamp: at(1), odometer: 9 })).json.status.odometer).toBe(9);
});
