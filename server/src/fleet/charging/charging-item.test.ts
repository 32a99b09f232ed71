import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
const vehicle = 'DE*ABC*V1';

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.call('DELETE', `/${vehicle}`);
  await service.call('PUT', `/${vehicle}`, { information: {} });
});

type Columns = Record<string, string | number>;

/** As a release writes that knows nothing of the item. */
async function insert(columns: Columns, client: Pick<pg.Client, 'query'> = serviceClient) {
  const row: Columns = {
    provider: 'DE-ABC',
    vehicle_id: vehicle,
    source: 'recorded',
    energy_basis: 'measured',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    ...columns,
  };
  const names = Object.keys(row);
  await client.query(
    `insert into charging_sessions (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}
const serviceClient = {
  query: (text: string, values: unknown[]) => service.db.queryUnprepared(text, values),
} as unknown as pg.Client;

const ofVehicle = `where provider = 'DE-ABC' and vehicle_id = $1`;

async function kept(): Promise<(string | null)[]> {
  const rows = await service.db.queryUnprepared<{ item: string | null }>(
    `select item from charging_sessions ${ofVehicle} order by from_time desc, id`,
    [vehicle],
  );
  return rows.map(({ item }) => item);
}

/** The items of the history, byte for byte. */
async function answered(): Promise<string> {
  const { text } = await service.call('POST', `/${vehicle}/charging`);
  return text.slice('{"items":['.length, text.indexOf('],"pagination"'));
}

/** As if the row had last been written before there was the column. */
const forget = () => update('item = null');

const update = (assignment: string) =>
  service.db.queryUnprepared(`update charging_sessions set ${assignment} ${ofVehicle}`, [vehicle]);

const kinds: [string, Columns, string][] = [
  [
    'has an end, and nothing else is known',
    { id: 'a', from_time: '2026-03-29T00:30:00Z', to_time: '2026-03-29T01:30:00Z' },
    '{"id":"a","fromDatetime":"2026-03-29T00:30:00.000Z","toDatetime":"2026-03-29T01:30:00.000Z"}',
  ],
  [
    'has everything',
    {
      id: 'a.B_c:d-1',
      from_time: '2024-02-29T12:30:00.12Z',
      from_level: 20,
      to_time: '2024-02-29T23:59:59.999Z',
      lat: 52.5,
      lng: -13.25,
      to_level: 80.5,
      charged_kwh: 30,
    },
    '{"id":"a.B_c:d-1","fromDatetime":"2024-02-29T12:30:00.120Z","fromSoC":20,"toDatetime":"2024-02-29T23:59:59.999Z",' +
      '"location":{"latitude":52.5,"longitude":-13.25},"toSoC":80.5,"chargedKWh":30}',
  ],
  [
    'has numbers with all their digits',
    {
      id: 'a',
      from_time: '0001-01-02T00:00:00.0014Z',
      from_level: 0.30000000000000004,
      to_time: '9999-12-31T23:59:59.9994Z',
      lat: -0.0000001,
      lng: 179.99999999999997,
      to_level: 0,
      charged_kwh: 1.5e300,
    },
    '{"id":"a","fromDatetime":"0001-01-02T00:00:00.001Z","fromSoC":0.30000000000000004,"toDatetime":"9999-12-31T23:59:59.999Z",' +
      '"location":{"latitude":-1e-07,"longitude":179.99999999999997},"toSoC":0,"chargedKWh":1.5e+300}',
  ],
  [
    'has an id that JSON escapes, and half of a position',
    {
      id: 'é"\\\n',
      from_time: '1969-12-31T23:59:59.999Z',
      lat: 1,
      to_time: '1970-01-01T00:00:00Z',
    },
    '{"id":"é\\"\\\\\\n","fromDatetime":"1969-12-31T23:59:59.999Z","toDatetime":"1970-01-01T00:00:00.000Z"}',
  ],
];

describe.each(kinds)('a session that %s', (_, columns, item) => {
  test('is kept as text, and made when it is read of a row from before', async () => {
    await insert(columns);
    expect(await kept()).toEqual([item]);
    expect(await answered()).toBe(item);
    await forget();
    expect(await kept()).toEqual([null]);
    expect(await answered()).toBe(item);
  });

  // Workers of Citus have settings of their own.
  const isSharded = inject('postgres').workers.length > 0;
  test.skipIf(isSharded)('is the same text whatever the settings of who writes it', async () => {
    const client = new pg.Client({
      ...service.database.connection,
      options: '-c timezone=America/St_Johns -c datestyle=SQL,DMY -c extra_float_digits=-15',
    });
    await client.connect();
    await insert(columns, client);
    await client.end();
    expect(await kept()).toEqual([item]);
  });
});

const whole: Columns = {
  id: 'a',
  from_time: '2026-01-01T10:00:00Z',
  from_level: 20,
  to_time: '2026-01-01T12:00:00Z',
  lat: 52,
  lng: 13,
  to_level: 80,
  charged_kwh: 30,
};

test.each([
  `id = 'b'`,
  `from_time = timestamptz '2026-01-01T09:00:00Z'`,
  'from_level = 1',
  'from_level = null',
  `to_time = timestamptz '2026-01-01T13:00:00Z'`,
  'lat = 1',
  'lng = null',
  'to_level = 99',
  'charged_kwh = 1.5',
])('an update of a session is in its text: %s', async (assignment) => {
  await insert(whole);
  const before = await kept();
  await update(assignment);
  const after = await kept();
  expect(after).not.toEqual(before);
  await forget();
  expect([await answered()]).toEqual(after);
});

test('a session that runs is made when it is read, and kept from its end on, until it goes on', async () => {
  const { to_time, ...running } = whole;
  await insert(running);
  expect(await kept()).toEqual([null]);
  await update('to_level = 90');
  expect(await kept()).toEqual([null]);
  expect(JSON.parse(await answered())).toMatchObject({ id: 'a', fromSoC: 20, toSoC: 90 });
  await update(`to_time = timestamptz '2026-01-01T13:00:00Z'`);
  expect(await kept()).toEqual([await answered()]);
  await update('to_time = null');
  expect(await kept()).toEqual([null]);
  expect(JSON.parse(await answered())).not.toHaveProperty('toDatetime');
});

test('the text has no position any more when the vehicle may not be tracked', async () => {
  await insert(whole);
  expect((await kept())[0]).toContain('"location":{"latitude":52,"longitude":13}');
  await service.call('PUT', `/${vehicle}`, { information: { trackGeolocation: false } });
  const { location, ...rest } = JSON.parse((await kept())[0] ?? '');
  expect([location, rest.chargedKWh]).toEqual([undefined, 30]);
});

test('neither the audit trail nor an event has the text, which has the position', async () => {
  const path = `/${vehicle}/charging/audited`;
  const record = { fromDatetime: '2026-01-01T10:00:00Z', toDatetime: '2026-01-01T12:00:00Z' };
  await service.call('PUT', path, { ...record, location: { latitude: 12.345678, longitude: 8 } });
  await service.call('PUT', path, { ...record, location: { latitude: 23.456789, longitude: 8 } });
  expect((await kept())[0]).toContain('23.456789');
  await service.call('PUT', path, { ...record, chargedKWh: 7 });
  await service.call('DELETE', path);
  const [{ told = '' } = {}] = await service.db.queryUnprepared<{ told: string }>(
    `select (select string_agg(e::text, ' ') from audit_events e where provider = 'DE-ABC' and record_id = 'audited')
       || (select string_agg(e::text, ' ') from event_outbox e where provider = 'DE-ABC' and record_id = 'audited') as told`,
  );
  expect(told).toContain('charged_kwh');
  for (const hidden of ['12.345678', '23.456789', 'fromDatetime', 'item'])
    expect(told).not.toContain(hidden);
});
