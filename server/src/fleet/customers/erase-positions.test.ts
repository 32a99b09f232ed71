import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type Customer, exampleCustomer } from '../users/public.ts';

let service: TestService;
let now: Date;
let customer: Customer;
const vehicle = 'DE*ABC*V1';
/** Hours of a period that spans two months. */
const at = (hour: number) => new Date(endOfMonth + hour * 3_600_000);
const today = new Date();
const endOfMonth = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 0, 12);

beforeAll(async () => {
  service = await startTestService({ clock: { now: () => now } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  now = at(0);
  customer = { ...exampleCustomer, customerId: randomUUID() };
  await service.call('DELETE', `/${vehicle}`);
  await service.call('PUT', `/${vehicle}`, { information: { evBatteryCapacity: 50 } });
});

const setErasing = (erasePositionsWithCustomer: boolean) =>
  service.call('PUT', '/profile', { name: 'Test', erasePositionsWithCustomer });

async function addDriver(hour: number, one = customer, id = vehicle) {
  now = at(hour);
  await service.call('PUT', `/${id}/drivers`, one);
}

async function removeDriver(hour: number, one = customer) {
  now = at(hour);
  await service.call('DELETE', `/${vehicle}/drivers/DE/MOB/${one.customerId}`);
}

/** One message an hour, each with another position and odometer. */
async function drive(hours: number[], signals: object = {}, id = vehicle) {
  now = at(100);
  const { json } = await service.call(
    'POST',
    '/databox/messages',
    hours.map((hour) => ({
      vehicleId: id,
      timestamp: at(hour).toISOString(),
      odometer: 1_000 + hour,
      location: { lat: 50 + hour / 100, lng: 10 },
      ...signals,
    })),
  );
  expect(json.counts.rejected).toBe(0);
}

async function erase(one = customer) {
  now = at(100);
  const path = `/users/${one.mobilityProviderCountryCode}/${one.mobilityProviderCode}/${one.customerId}`;
  const { status, json } = await service.call('DELETE', path);
  expect(status).toBe(202);
  const jobs = await service.runJobs();
  return { erasure: (await service.call('GET', `/users/erasures/${json.id}`)).json, jobs };
}

/** The hours of the history that have a position. */
async function hoursWithPosition(id = vehicle): Promise<number[]> {
  const rows = await service.db.query<{ odometer: number }>(
    'select odometer from vehicle_history where vehicle_id = $1 and lat is not null order by time',
    [id],
  );
  return rows.map(({ odometer }) => odometer - 1_000);
}

const historySize = async (id = vehicle) =>
  (
    await service.db.query(
      'select from vehicle_history where vehicle_id = $1 and odometer is not null',
      [id],
    )
  ).length;

test('where the profile says so, the positions of the assignments go, and all else of the history stays', async () => {
  await setErasing(true);
  await addDriver(2);
  await removeDriver(5);
  await addDriver(14);
  await removeDriver(20);
  await drive([1, 2, 4, 5, 6, 13, 14, 19, 20, 21]);
  const { erasure } = await erase();
  expect(erasure).toMatchObject({ status: 'completed', erasesPositions: true, erasedRecords: 2 });
  expect(await hoursWithPosition()).toEqual([1, 5, 6, 13, 20, 21]);
  expect(await historySize()).toBe(10);
  const { json } = await service.call('GET', `/${vehicle}`);
  expect(json.status).toMatchObject({ odometer: 1_021, location: { lat: 50.21, lng: 10 } });
});

test('the last known position goes, too, when it is of the assignment, and comes with the next message', async () => {
  await setErasing(true);
  await addDriver(2);
  await drive([3]);
  await erase();
  const status = async () => (await service.call('GET', `/${vehicle}`)).json.status;
  expect(await status()).toEqual({
    odometer: 1_003,
    lastUpdated: at(3).toISOString(),
  });
  now = at(102);
  await service.call('PUT', `/${vehicle}/status`, {
    timestamp: at(101).toISOString(),
    location: { lat: 48, lng: 11 },
  });
  expect((await status()).location).toEqual({ lat: 48, lng: 11 });
});

test('positions of a clock that is ahead go with the assignment that the erasure ends', async () => {
  await setErasing(true);
  await addDriver(2);
  const ahead = 100 + 4 / 60;
  await drive([3, ahead]);
  await service.call('PUT', `/${vehicle}/charging/ahead`, {
    fromDatetime: at(ahead).toISOString(),
    location: { latitude: 52, longitude: 13 },
  });
  const { erasure } = await erase();
  expect(erasure).toMatchObject({ status: 'completed', erasedRecords: 1 });
  expect(await hoursWithPosition()).toEqual([]);
  expect((await service.call('GET', `/${vehicle}`)).json.status).not.toHaveProperty('location');
  const { json } = await service.call('GET', `/${vehicle}/charging/ahead`);
  expect(json).not.toHaveProperty('location');
});

test('a last known position without a time may be of the assignment, and goes', async () => {
  await setErasing(true);
  await addDriver(2);
  await removeDriver(5);
  const { json } = await service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/imports/vehicles',
    headers: { authorization: `Bearer ${await service.token()}`, 'content-type': 'text/csv' },
    body: `asset.id,status.location.lat,status.location.lng\n${vehicle},52.5,13.5\n`,
  });
  expect(json).toMatchObject({ written: true });
  await erase();
  expect((await service.call('GET', `/${vehicle}`)).json.status).not.toHaveProperty('location');
});

test('positions of several drivers at that time are of each of them, and go with any', async () => {
  await setErasing(true);
  const other = { ...exampleCustomer, customerId: randomUUID() };
  await addDriver(1, other);
  await addDriver(3);
  await removeDriver(5);
  await removeDriver(8, other);
  await drive([1, 2, 3, 4, 5, 6]);
  await erase();
  expect(await hoursWithPosition()).toEqual([1, 2, 5, 6]);
  await erase(other);
  expect(await hoursWithPosition()).toEqual([]);
});

test('charging sessions of the assignment lose their position, those of others keep it', async () => {
  await setErasing(true);
  for (const start of [1, 10, 20]) {
    await drive([start, start + 1], { isCharging: true, isPluggedIn: true, fuelLevel: 40 + start });
    await drive([start + 2], { isCharging: false, isPluggedIn: false, fuelLevel: 45 + start });
  }
  const record = { fromDatetime: at(11).toISOString(), toDatetime: at(12).toISOString() };
  const recorded = await service.call('PUT', `/${vehicle}/charging/recorded`, {
    ...record,
    chargedKWh: 5,
    location: { latitude: 51, longitude: 10 },
  });
  expect(recorded.status).toBe(201);
  const open = await service.call('PUT', `/${vehicle}/charging/open`, {
    fromDatetime: at(-20).toISOString(),
    chargedKWh: 5,
    location: { latitude: 51, longitude: 10 },
  });
  expect(open.status).toBe(201);
  await addDriver(9);
  await removeDriver(18);
  const sessions = () =>
    service.db.query<{ hour: number; has: boolean; tells: boolean | null }>(
      `select (extract(epoch from from_time - $1::timestamptz) / 3600)::int as hour, lat is not null as has,
         item like '%"location"%' as tells
       from charging_sessions where vehicle_id = $2 order by from_time, id`,
      [at(0), vehicle],
    );
  const before = await sessions();
  // One without an end is in no history.
  expect(before.filter(({ has, tells }) => has && (tells ?? true))).toHaveLength(before.length);
  expect(before.map(({ hour }) => hour)).toEqual(expect.arrayContaining([-20, 1, 10, 11, 20]));
  await erase();
  expect(await sessions()).toEqual(
    before.map(({ hour, tells }) => {
      const has = hour < 9 || hour >= 18;
      return { hour, has, tells: tells && has };
    }),
  );
});

test('a later session that has taken over where the customer left the vehicle loses it, one with a position of its own keeps it', async () => {
  await setErasing(true);
  await addDriver(1);
  await removeDriver(5);
  await drive([4]);
  const charge = async (hour: number, location?: object) => {
    const parked = { odometer: 1_000 + hour, fuelLevel: 40, location };
    await drive([hour], { ...parked, isCharging: true, isPluggedIn: true });
    await drive([hour + 1], { ...parked, isCharging: false, isPluggedIn: false });
  };
  const place = { location: { latitude: 50.04, longitude: 10 } };
  await charge(6);
  await charge(10, { lat: 52, lng: 11 });
  const record = { fromDatetime: at(14).toISOString(), toDatetime: at(15).toISOString() };
  await service.call('PUT', `/${vehicle}/charging/recorded`, { ...record, ...place });
  await charge(20);
  await charge(40);
  const sessions = async () => {
    const { json } = await service.call('POST', `/${vehicle}/charging`, {});
    return json.items.map((item: { location?: object }) => item.location).reverse();
  };
  const ownPlace = { latitude: 52, longitude: 11 };
  expect(await sessions()).toEqual([place.location, ownPlace, place.location, ownPlace, undefined]);
  await erase();
  expect(await sessions()).toEqual([undefined, ownPlace, place.location, ownPlace, undefined]);
});

test('unless the profile says so, positions stay', async () => {
  await setErasing(false);
  await addDriver(1);
  await drive([2, 3]);
  const { erasure } = await erase();
  expect(erasure).toMatchObject({ status: 'completed', erasesPositions: false });
  expect(await hoursWithPosition()).toEqual([2, 3]);
});

test('many vehicles are done in batches, and the same vehicles of another provider are not touched', async () => {
  await setErasing(true);
  const ids = Array.from({ length: 45 }, (_, index) => `DE*ABC*B${index}`);
  for (const id of ids) {
    await service.call('PUT', `/${id}`, { information: {} });
    await addDriver(1, customer, id);
    await drive([2], {}, id);
  }
  await service.db.query(
    `insert into vehicle_history (provider, vehicle_id, time, lat, lng, odometer)
     values ('FR-XYZ', 'DE*ABC*B0', $1, 50, 10, 1)`,
    [at(2)],
  );
  await service.runJobs();
  const { erasure, jobs } = await erase();
  expect(erasure).toMatchObject({ status: 'completed', erasedRecords: 45 });
  // Three batches, and the end.
  expect(jobs).toBe(4);
  const left = await service.db.query<{ provider: string }>(
    `select provider from vehicle_history where vehicle_id = any($1) and lat is not null`,
    [ids],
  );
  expect(left).toEqual([{ provider: 'FR-XYZ' }]);
});

test('the audit trail has that positions were erased, and who asked for it', async () => {
  await setErasing(true);
  await addDriver(1);
  const { erasure } = await erase();
  const filters = [{ field: 'recordId', value: erasure.id }];
  const { json } = await service.call('POST', '/audit/search', { filters });
  expect(json.items.at(-1)).toMatchObject({
    action: 'created',
    type: 'user-erasure',
    operation: 'eraseUser',
    actor: { clientId: 'demo-client' },
    changes: { erasesPositions: { after: true } },
  });
});
