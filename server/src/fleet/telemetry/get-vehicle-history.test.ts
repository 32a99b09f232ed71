import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
const vehicle = 'DE*ABC*V0001';

type Item = {
  time: string;
  odometer?: number;
  fuelLevel?: number;
  location?: { lat: number; lng: number };
};

/** Some months of readings, a handful every other day and each with some of the fields. */
const start = new Date();
start.setUTCMonth(start.getUTCMonth() - 3);
const readings: (Item & { isLocked?: boolean })[] = Array.from({ length: 400 }, (_, index) => ({
  time: new Date(start.getTime() + timeOf(index)).toISOString(),
  ...(index % 3 !== 0 && { odometer: index }),
  ...(index % 4 !== 0 && { fuelLevel: index % 101 }),
  ...(index % 5 === 0 && { location: { lat: index % 90, lng: (index % 180) - 89 } }),
  ...(index % 60 === 0 && { isLocked: true }),
})).filter(({ time }) => time < new Date().toISOString());

function timeOf(index: number): number {
  return Math.floor(index / 5) * 97_891_237 + (index % 5) * 23_456;
}

beforeAll(async () => {
  service = await startTestService();
  for (const id of [vehicle, 'DE*ABC*V0002']) {
    await service.call('PUT', `/${id}`, { information: {} });
    const messages = readings.map(({ time: timestamp, ...signals }) => ({
      vehicleId: id,
      timestamp,
      isLocked: true,
      ...signals,
    }));
    await service.call('POST', '/databox/messages', messages.toReversed());
  }
  await service.call('PUT', '/DE*ABC*V0003', { information: {} });
});
afterAll(() => service.stop());

const from = new Date(start.getTime() - 1).toISOString();
const all = { pagination: { pageSize: 1_000 } };

async function history(body: object, id = vehicle) {
  const answer = await service.call('POST', `/${id}/history`, body);
  return { ...answer, items: answer.json.items as Item[] };
}

function startOf(time: string, resolution: string): string {
  const date = new Date(time);
  date.setUTCSeconds(0, 0);
  if (resolution !== 'minute') date.setUTCMinutes(0);
  if (!['minute', 'hour'].includes(resolution)) date.setUTCHours(0);
  if (resolution === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (resolution === 'month') date.setUTCDate(1);
  return date.toISOString();
}

/** The last value of each field in each interval, found in another way. */
function expected(resolution: string, names: readonly (keyof Item)[], of = readings): Item[] {
  const items = new Map<string, Item>();
  for (const reading of of) {
    const known = names.filter((name) => reading[name] !== undefined);
    if (known.length === 0) continue;
    const time = resolution === 'raw' ? reading.time : startOf(reading.time, resolution);
    const item = items.get(time) ?? { time };
    items.set(time, { ...item, ...Object.fromEntries(known.map((name) => [name, reading[name]])) });
  }
  return [...items.values()];
}

describe('at every resolution', () => {
  test.each(['raw', 'minute', 'hour', 'day', 'week', 'month'])(
    '%s: the last value of each field, the oldest first',
    async (resolution) => {
      const { items, json } = await history({ from, resolution, ...all });
      const known = expected(resolution, ['odometer', 'fuelLevel', 'location']);
      expect(items).toEqual(known);
      expect(json.pagination.totalEntries).toBe(known.length);
    },
  );

  test.each([['odometer'], ['fuelLevel', 'location'], ['location']] as (keyof Item)[][])(
    'only %s %s when only those are asked for',
    async (...fields) => {
      const names = fields.filter(Boolean);
      for (const resolution of ['raw', 'day']) {
        const { items } = await history({ from, resolution, fields: names, ...all });
        expect(items).toEqual(expected(resolution, names));
      }
    },
  );
});

test('by the hour when nothing is said, and up to now', async () => {
  const { items } = await history({ from, ...all });
  expect(items).toEqual(expected('hour', ['odometer', 'fuelLevel', 'location']));
});

test('the period begins with from and ends before to', async () => {
  const [first, last] = [readings[10], readings[20]];
  const { items } = await history({ from: first?.time, to: last?.time, resolution: 'raw' });
  expect(items).toEqual(
    expected('raw', ['odometer', 'fuelLevel', 'location'], readings.slice(10, 20)),
  );
});

test('pages hold every item once; one past the end is empty with the true total', async () => {
  const seen: Item[] = [];
  const total = expected('day', ['odometer', 'fuelLevel', 'location']).length;
  for (let pageNumber = 0; pageNumber * 7 < total + 7; pageNumber++) {
    const { items, json } = await history({
      from,
      resolution: 'day',
      pageRequest: { pageNumber, pageSize: 7 },
    });
    expect(json.pagination).toEqual({ pageNumber, pageSize: 7, totalEntries: total });
    seen.push(...items);
  }
  expect(seen).toEqual(expected('day', ['odometer', 'fuelLevel', 'location']));
});

test('a vehicle without a history has an empty page; one that does not exist is 404', async () => {
  const { json } = await history({ from }, 'DE*ABC*V0003');
  expect(json).toEqual({
    items: [],
    pagination: { pageNumber: 0, pageSize: 100, totalEntries: 0 },
  });
  for (const id of ['DE*ABC*nowhere', 'FR*XYZ*V0001']) {
    expect((await history({ from }, id)).status).toBe(404);
  }
});

test('a period that is none, and a resolution or a field that is not known, are refused and named', async () => {
  const hour = 3_600_000;
  const soon = new Date(Date.now() + hour).toISOString();
  for (const [body, pointer] of [
    [{}, '/from'],
    [{ from: 'yesterday' }, '/from'],
    [{ from, to: from }, '/from'],
    [{ from: soon }, '/from'],
    [{ from, to: '2020-01-01T00:00:00Z' }, '/from'],
    [{ from, resolution: 'year' }, '/resolution'],
    [{ from, fields: [] }, '/fields'],
    [{ from, fields: ['odometer', 'odometer'] }, '/fields'],
    [{ from, fields: ['isLocked'] }, '/fields/0'],
    [{ from, pagination: {}, pageRequest: {} }, '/pageRequest'],
    [{ from, pagination: { pageSize: 1_001 } }, '/pagination/pageSize'],
  ] as [object, string][]) {
    const { status, json } = await history(body);
    expect([status, json.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([400, pointer]);
  }
});

test('a large page is sent in pieces, between which others are served', async () => {
  const id = 'DE*ABC*V0004';
  await service.call('PUT', `/${id}`, { information: {} });
  const extra = Object.fromEntries(
    Array.from({ length: 32 }, (_, index) => [`signal${index}`, 'x'.repeat(100)]),
  );
  const messages = readings
    .slice(0, 100)
    .map(({ time: timestamp }) => ({ vehicleId: id, timestamp, extra }));
  await service.call('POST', '/databox/messages', messages);
  const body = { from, resolution: 'raw', pagination: { pageSize: 1_000 } };
  const { json, headers } = await service.call('POST', `/${id}/history`, body);
  expect(json.items).toHaveLength(100);
  expect(json.items[99].extra).toEqual(extra);
  expect(json.pagination).toMatchObject({ totalEntries: 100 });
  // One that is serialized at once has its length.
  expect(headers).not.toHaveProperty('content-length');
});
