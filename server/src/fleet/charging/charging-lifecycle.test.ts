import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { ChargingSession, ReadChargingSession } from './charging-session.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let vehicle: string;
let made = 0;
beforeEach(async () => {
  vehicle = `DE*ABC*L${++made}`;
  await service.call('PUT', `/${vehicle}`, { information: { evBatteryCapacity: 50 } });
});

const hour = 3_600_000;
const start = Math.floor(Date.now() / hour) * hour - 48 * hour;
const at = (hours: number) => new Date(start + hours * hour).toISOString();

const put = (id: string, body: unknown) => service.call('PUT', `/${vehicle}/charging/${id}`, body);
const remove = (id: string) => service.call('DELETE', `/${vehicle}/charging/${id}`);
const read = (id = '') => service.call('GET', `/${vehicle}/charging/${id}`);
async function listed(): Promise<ChargingSession[]> {
  return (await service.call('POST', `/${vehicle}/charging`)).json.items;
}
/** The session as the history returns it. */
function itemOf(session: ReadChargingSession): ChargingSession {
  const { energyBasis: _, source: __, updatedAt: ___, ...item } = session;
  return item;
}
const anyTime = expect.stringMatching(/Z$/);
const idsOf = (sessions: readonly ChargingSession[]) => sessions.map(({ id }) => id);

/** Messages of a charge from one hour to another; without an end it still runs. */
async function charge(from: number, to?: number) {
  const messages = [
    { vehicleId: vehicle, timestamp: at(from), isPluggedIn: true, isCharging: true, fuelLevel: 40 },
    ...(to === undefined
      ? []
      : [
          {
            vehicleId: vehicle,
            timestamp: at(to),
            isPluggedIn: false,
            isCharging: false,
            fuelLevel: 60,
          },
        ]),
  ];
  const { status } = await service.call('POST', '/databox/messages', messages);
  expect(status).toBe(200);
}

describe('a recorded session', () => {
  const whole = {
    fromDatetime: at(1),
    fromSoC: 20,
    toDatetime: at(3),
    location: { latitude: 52.5, longitude: 13.4 },
    toSoC: 80.5,
    chargedKWh: 31.207,
    energyBasis: 'estimated',
  };

  test('is 201 when new, 200 when overwritten, and returned as it was sent', async () => {
    const created = await put('CDR:1_a.b-C', whole);
    expect([created.status, created.json]).toEqual([
      201,
      { id: 'CDR:1_a.b-C', ...whole, source: 'recorded', updatedAt: anyTime },
    ]);
    expect(await listed()).toEqual([itemOf(created.json)]);
    expect((await read('CDR:1_a.b-C')).json).toEqual(created.json);
    const again = await put('CDR:1_a.b-C', { ...created.json, toSoC: 81 });
    expect([again.status, again.json]).toEqual([
      200,
      { ...created.json, toSoC: 81, updatedAt: anyTime },
    ]);
    const cleared = await put('CDR:1_a.b-C', { fromDatetime: '2026-01-02T03:04:05.678901+01:00' });
    expect(cleared.json).toEqual({
      id: 'CDR:1_a.b-C',
      fromDatetime: '2026-01-02T02:04:05.678Z',
      energyBasis: 'measured',
      source: 'recorded',
      updatedAt: anyTime,
    });
    expect(await listed()).toEqual([itemOf(cleared.json)]);
  });

  test('is deleted once', async () => {
    await put('mine', whole);
    expect((await remove('mine')).status).toBe(204);
    expect((await remove('mine')).status).toBe(404);
    expect((await read('mine')).status).toBe(404);
    expect(await listed()).toEqual([]);
  });

  test('of a vehicle that does not track its position has none', async () => {
    await service.call('PUT', `/${vehicle}`, { information: { trackGeolocation: false } });
    expect((await put('mine', whole)).json.location).toBeUndefined();
    await service.call('PUT', `/${vehicle}`, { information: { trackGeolocation: true } });
    expect((await put('mine', whole)).json.location).toEqual(whole.location);
    await service.call('PUT', `/${vehicle}`, { information: { trackGeolocation: false } });
    expect((await listed())[0]?.location).toBeUndefined();
  });

  test('names every issue', async () => {
    const { status, json } = await put('mine', {
      fromDatetime: at(3),
      toDatetime: at(2),
      fromSoC: -0.1,
      toSoC: 100.1,
      chargedKWh: -1,
      location: { latitude: 91 },
      energyBasis: 'guessed',
    });
    expect(status).toBe(400);
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '/chargedKWh',
      '/energyBasis',
      '/fromSoC',
      '/location/latitude',
      '/location/longitude',
      '/toDatetime',
      '/toSoC',
    ]);
    for (const [minutes, expected] of [
      [4, 201],
      [6, 400],
    ] as const) {
      const soon = new Date(Date.now() + minutes * 60_000).toISOString();
      expect((await put('soon', { fromDatetime: soon })).status).toBe(expected);
      const ends = await put(`ends-${minutes}`, { fromDatetime: at(0), toDatetime: soon });
      expect(ends.status).toBe(expected);
    }
    expect((await put('mine', {})).json.errors[0].pointer).toBe('/fromDatetime');
    const moment = { fromDatetime: at(3), toDatetime: at(3) };
    expect((await put('moment', moment)).status).toBe(201);
  });

  test('has an id of the characters that are named, and a vehicle', async () => {
    for (const id of ['a'.repeat(101), 'a%20b', 'a*b', '%C3%A4', 'a%2Fb', 'a%0A']) {
      const { status, json } = await put(id, whole);
      expect([status, json.errors?.[0].pointer], id).toEqual([400, '#sessionId']);
      expect((await remove(id)).status, id).toBe(404);
    }
    expect((await put('a'.repeat(100), whole)).status).toBe(201);
    vehicle = 'DE*ABC*nowhere';
    expect((await put('mine', whole)).status).toBe(404);
    expect((await remove('mine')).status).toBe(404);
    expect((await read('mine')).json.title).toBe('No such vehicle');
  });
});

describe('a detected session', () => {
  test('is returned while it runs and when it has ended', async () => {
    await charge(1);
    const [running] = await listed();
    expect(running).toMatchObject({ fromDatetime: at(1), fromSoC: 40 });
    expect(running).not.toHaveProperty('toDatetime');
    expect(running).not.toHaveProperty('toSoC');
    const before = await read(running?.id);
    expect(before.json).toEqual({
      ...running,
      energyBasis: 'estimated',
      source: 'telemetry',
      updatedAt: anyTime,
    });
    await charge(1, 3);
    expect(await listed()).toEqual([
      {
        id: running?.id,
        fromDatetime: at(1),
        fromSoC: 40,
        toDatetime: at(3),
        toSoC: 60,
        chargedKWh: 10,
      },
    ]);
    const after = await read(running?.id);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect(after.json.updatedAt > before.json.updatedAt).toBe(true);
    // Messages that say nothing new leave it as it is.
    await charge(1, 3);
    expect((await read(running?.id)).json).toEqual(after.json);
  });

  test('cannot be deleted: it would be detected again', async () => {
    await charge(1, 3);
    const [detected] = await listed();
    const { status, json } = await remove(detected?.id ?? '');
    expect([status, json.type]).toEqual([409, problemType('found-in-telemetry')]);
    expect(await listed()).toEqual([detected]);
  });

  test('gives way to a recorded one that overlaps it, and comes back', async () => {
    await charge(1, 3);
    await charge(5, 6);
    const detected = await listed();
    const [later, earlier] = detected;
    const record = { fromDatetime: at(2), toDatetime: at(4) };
    await put('mine', record);
    expect(idsOf(await listed())).toEqual([later?.id, 'mine']);
    for (const call of [read, remove]) expect((await call(earlier?.id ?? '')).status).toBe(404);
    // Beside each other is not over each other.
    await put('mine', { fromDatetime: at(3), toDatetime: at(5) });
    expect(idsOf(await listed())).toEqual([later?.id, 'mine', earlier?.id]);
    await put('mine', { fromDatetime: at(0), toDatetime: at(10) });
    expect(idsOf(await listed())).toEqual(['mine']);
    await remove('mine');
    expect(await listed()).toEqual(detected);
  });

  test('gives way also when it is detected after the record, and to one without an end for a day', async () => {
    await put('mine', { fromDatetime: at(1) });
    await charge(2, 3);
    await charge(24, 24.5);
    await charge(25, 26);
    expect((await listed()).map(({ fromDatetime }) => fromDatetime)).toEqual([at(25), at(1)]);
    await put('mine', { fromDatetime: at(1), toDatetime: at(1.5) });
    expect((await listed()).map(({ fromDatetime }) => fromDatetime)).toEqual([
      at(25),
      at(24),
      at(2),
      at(1),
    ]);
  });

  test('becomes a recorded one under its id, and stays behind it while it still runs', async () => {
    await charge(1);
    const [detected] = await listed();
    const id = detected?.id ?? '';
    const { etag } = (await read(id)).headers;
    const corrected = await put(id, { ...detected, fromSoC: 38 });
    expect(corrected.headers.etag).not.toBe(etag);
    expect([corrected.status, corrected.json]).toMatchObject([
      200,
      { id, fromSoC: 38, energyBasis: 'measured' },
    ]);
    await charge(1, 3);
    expect(await listed()).toEqual([itemOf(corrected.json)]);
    expect((await remove(id)).status).toBe(204);
    const [back] = await listed();
    expect(back).toMatchObject({
      fromDatetime: at(1),
      fromSoC: 40,
      toDatetime: at(3),
      chargedKWh: 10,
    });
  });

  test('becomes a recorded one under its id also while another record hides it', async () => {
    await charge(1, 3);
    const [detected] = await listed();
    const id = detected?.id ?? '';
    await put('mine', { fromDatetime: at(2), toDatetime: at(4) });
    const record = { fromDatetime: at(5), toDatetime: at(6) };
    const recorded = await put(id, record);
    expect([recorded.status, recorded.json]).toMatchObject([201, { id, ...record }]);
    expect(idsOf(await listed())).toEqual([id, 'mine']);
    await remove('mine');
    expect(await listed()).toEqual([
      { id, ...record },
      { ...detected, id: expect.not.stringMatching(id) },
    ]);
  });
});

test('messages, records and the deletion of the vehicle at once end in an order', async () => {
  for (let round = 0; round < 5; round++) {
    await service.call('PUT', `/${vehicle}`, { information: { evBatteryCapacity: 50 } });
    const answers = await Promise.all([
      service.call('POST', '/databox/messages', [
        { vehicleId: vehicle, timestamp: at(round), isCharging: true, fuelLevel: 40 },
      ]),
      put('mine', { fromDatetime: at(1) }),
      put('other', { fromDatetime: at(2) }),
      service.call('DELETE', `/${vehicle}`),
      remove('mine'),
    ]);
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status);
  }
});
