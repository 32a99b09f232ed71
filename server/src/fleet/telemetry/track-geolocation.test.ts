import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleVehicle, writeVehicles } from '../vehicles/public.ts';

let service: TestService;
const id = 'DE*ABC*V0001';
const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(() => service.call('DELETE', `/${id}`));

const hourAgo = Date.now() - 3_600_000;
const at = (minutes: number) => new Date(hourAgo + minutes * 60_000).toISOString();
const location = { lat: 52.5, lng: 13.4 };

function track(trackGeolocation: boolean) {
  return service.call('PUT', `/${id}`, {
    information: { evBatteryCapacity: 77, trackGeolocation },
  });
}

async function send(minute: number, signals: object) {
  const { json } = await service.call('POST', '/databox/messages', [
    { vehicleId: id, timestamp: at(minute), ...signals },
  ]);
  return json.results[0];
}

/** Every place of the database that a position of the vehicle could be in, as it stands. */
async function positions(): Promise<unknown[]> {
  const rows = await service.db.queryUnprepared<{ found: unknown }>(
    `select lat as found from vehicle_statuses where vehicle_id = $1
     union all select lat from vehicle_history where vehicle_id = $1
     union all select lat from charging_sessions where vehicle_id = $1
     union all select (item::json #>> '{location,latitude}')::double precision from charging_sessions where vehicle_id = $1
     union all select (state #>> '{location,lat}')::double precision from charging_states where vehicle_id = $1
     union all select date_part('epoch', location_at) from vehicle_statuses where vehicle_id = $1`,
    [id],
  );
  return rows.map(({ found }) => found).filter((found) => found !== null);
}

test('of a vehicle that may not be tracked no position is kept, and the answer says so', async () => {
  await track(false);
  const charging = { odometer: 1, isCharging: true, isPluggedIn: true, fuelLevel: 20 };
  expect(await send(0, { ...charging, location })).toEqual({
    index: 0,
    result: 'accepted',
    ignored: ['location'],
  });
  expect(
    await send(10, { ...charging, isCharging: false, isPluggedIn: false, location }),
  ).toMatchObject({ result: 'accepted', ignored: ['location'] });
  expect(await send(11, { odometer: 2 })).toEqual({ index: 0, result: 'accepted' });
  expect(await positions()).toEqual([]);
  const sessions = await service.db.queryUnprepared(
    'select 1 from charging_sessions where vehicle_id = $1 and to_time is not null',
    [id],
  );
  expect(sessions).toHaveLength(1);
});

test('a message with nothing but a position is rejected then, in a batch and by itself', async () => {
  await track(false);
  expect(await send(0, { location })).toMatchObject({
    result: 'rejected',
    reason: 'position_not_kept',
    errors: [{ pointer: '/location', detail: expect.stringContaining('trackGeolocation') }],
  });
  const { status, json } = await service.call('PUT', `/${id}/status`, {
    timestamp: at(0),
    location,
  });
  expect([status, json.detail]).toEqual([409, expect.stringContaining('trackGeolocation')]);
  expect(await positions()).toEqual([]);
  expect((await service.call('GET', `/${id}`)).json.status).toEqual({});
});

test('once it is switched off, what was kept is gone, and what comes late stays out', async () => {
  await track(true);
  await send(1, { location, odometer: 1, isCharging: true, isPluggedIn: true, fuelLevel: 20 });
  await send(2, { location, fuelLevel: 21 });
  expect((await positions()).length).toBeGreaterThan(3);
  await track(false);
  expect(await positions()).toEqual([]);
  expect(await send(0, { location, odometer: 0 })).toMatchObject({ ignored: ['location'] });
  expect(await send(3, { location, isCharging: false })).toMatchObject({ ignored: ['location'] });
  expect(await positions()).toEqual([]);
  const { json } = await service.call('POST', `/${id}/history`, { from: at(0), resolution: 'raw' });
  expect(json.items).toHaveLength(3);

  await track(true);
  expect(await send(4, { location })).toEqual({ index: 0, result: 'accepted' });
  expect((await service.call('GET', `/${id}`)).json.status.location).toEqual(location);
});

test('nor does an import bring a position in, or leave one', async () => {
  const line = (trackGeolocation: boolean) => ({
    ...exampleVehicle,
    information: { trackGeolocation },
    status: { lastUpdated: at(0), location },
  });
  await writeVehicles(service.writer, provider, [line(false)]);
  expect(await positions()).toEqual([]);
  await writeVehicles(service.writer, provider, [line(true)]);
  await send(1, { location });
  expect((await positions()).length).toBeGreaterThan(2);
  await writeVehicles(service.writer, provider, [line(false)]);
  expect(await positions()).toEqual([]);
});

test('messages that come while it is switched off leave no position behind', async () => {
  for (let round = 0; round < 5; round++) {
    await track(true);
    await Promise.all([
      ...[0, 1, 2, 3].map((minute) => send(round * 10 + minute, { location, odometer: round })),
      track(false),
    ]);
    expect(await positions()).toEqual([]);
  }
});

test('while messages come it is switched off: from then on there is no position anywhere', async () => {
  for (let round = 0; round < 5; round++) {
    await track(true);
    const sent = Array.from({ length: 12 }, (_, index) =>
      send(round * 12 + index, { location, odometer: index, isCharging: index % 4 === 0 }),
    );
    await Promise.all([...sent.slice(0, 6), track(false), ...sent.slice(6)]);
    expect(await positions()).toEqual([]);
  }
});
