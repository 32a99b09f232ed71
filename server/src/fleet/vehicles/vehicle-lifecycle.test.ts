import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { defaultImageOf } from './drawings/default-image.ts';
import { exampleVehicle } from './example-vehicle.ts';
import { writeVehicles } from './vehicle-store.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const codes = { assetProviderCountryCode: 'DE', assetProviderCode: 'ABC' };
const { information } = exampleVehicle;
const drawing = defaultImageOf(information);
/** Without a VIN, which one vehicle has at a time. */
const { vin: _vin, ...anonymous } = information;

test('a vehicle is created (201), overwritten (200), read, found, deleted (204), and then gone (404)', async () => {
  const path = '/DE*ABC*life-1';
  const made = await service.call('PUT', path, { asset: { active: false }, information });
  expect(made.status).toBe(201);
  expect(made.json).toEqual({
    asset: { id: 'DE*ABC*life-1', ...codes, defaultImage: drawing, active: false },
    information,
    status: {},
  });

  const overwritten = await service.call('PUT', path, { information: { vendor: 'BMW' } });
  expect(overwritten.status).toBe(200);
  expect(overwritten.json).toEqual({
    asset: { id: 'DE*ABC*life-1', ...codes, defaultImage: drawing, active: true },
    information: { vendor: 'BMW' },
    status: {},
  });

  expect((await service.call('GET', path)).json).toEqual(overwritten.json);
  const found = await service.call('POST', '/vehicles', {
    filters: [{ field: 'asset.id', value: 'DE*ABC*life-1' }],
  });
  expect(found.json.items).toEqual([overwritten.json]);

  expect((await service.call('DELETE', path)).status).toBe(204);
  expect((await service.call('DELETE', path)).status).toBe(404);
  expect((await service.call('GET', path)).status).toBe(404);
});

test('what was read can be sent back as it is; the status is ignored, and another id or code is 400', async () => {
  const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
  await writeVehicles(quietWriter(service.db), provider, [exampleVehicle]);
  const path = `/${exampleVehicle.asset.id}`;
  const read = await service.call('GET', path);
  expect(read.json).toEqual(exampleVehicle);
  const same = await service.call('PUT', path, read.json);
  expect([same.status, same.text, same.headers.etag]).toEqual([200, read.text, read.headers.etag]);
  const changed = { ...read.json, status: { odometer: 1, anything: [] } };
  expect((await service.call('PUT', path, changed)).json).toEqual(exampleVehicle);
  const foreign = { id: 'FR*XYZ*1', assetProviderCountryCode: 'FR', assetProviderCode: 5 };
  const refused = await service.call('PUT', path, { ...read.json, asset: foreign });
  expect(refused.status).toBe(400);
  expect(refused.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/asset/id',
    '/asset/assetProviderCountryCode',
    '/asset/assetProviderCode',
  ]);
  expect((await service.call('GET', path)).json).toEqual(exampleVehicle);
});

test('with a vehicle its history is deleted, also for another vehicle under the same id', async () => {
  const path = '/DE*ABC*life-7';
  const from = '2026-01-01T00:00:00Z';
  const history = async () => (await service.call('POST', `${path}/history`, { from })).json.items;
  await service.call('PUT', path, { information: anonymous });
  const timestamp = new Date().toISOString();
  await service.call('PUT', `${path}/status`, { timestamp, odometer: 1 });
  expect(await history()).toHaveLength(1);
  await service.call('DELETE', path);
  await service.call('PUT', path, { information: anonymous });
  expect(await history()).toEqual([]);
});

test('an asterisk may come encoded', async () => {
  await service.call('PUT', '/DE%2AABC%2Alife-2', { information: anonymous });
  expect((await service.call('GET', '/DE*ABC*life-2')).status).toBe(200);
});

test('an id of another provider, or of no form at all, is refused with 400 and the rule', async () => {
  for (const id of [
    'FR*XYZ*V0001',
    'V0001',
    'DE*ABC*',
    'DE*ABC*a*b',
    'DE*ABC*a%20b',
    `DE*ABC*${'x'.repeat(65)}`,
    'de*abc*1',
  ]) {
    const { status, json } = await service.call('PUT', `/${id}`, { information: anonymous });
    expect(status, id).toBe(400);
    expect(json.detail).toContain('DE*ABC*');
  }
});

test('a missing or impossible value, or null for a required one, is refused and named', async () => {
  for (const [body, pointer] of [
    [{}, '/information'],
    [{ information: null }, '/information'],
    [{ information: { vin: '' } }, '/information/vin'],
    [{ information: { seats: '5' } }, '/information/seats'],
    [{ information: { seats: -1 } }, '/information/seats'],
    [
      { information: { firstRegistrationDate: '2023-02-29' } },
      '/information/firstRegistrationDate',
    ],
    [
      { information: { firstRegistrationDate: '2024-02-29T00:00:00Z' } },
      '/information/firstRegistrationDate',
    ],
    [{ information: {}, asset: { active: 'yes' } }, '/asset/active'],
    [{ information: {}, asset: { defaultImage: 'javascript:alert(1)' } }, '/asset/defaultImage'],
    [{ information: {}, asset: { defaultImage: '/somewhere/else.png' } }, '/asset/defaultImage'],
    [{ information: {}, asset: { defaultImage: '//evil.example/1.png' } }, '/asset/defaultImage'],
  ] as const) {
    const { status, json } = await service.call('PUT', '/DE*ABC*life-3', body);
    expect(status).toBe(400);
    expect(json.errors[0].pointer).toBe(pointer);
  }
  expect((await service.call('GET', '/DE*ABC*life-3')).status).toBe(404);
});

test('numbers come back as they were sent', async () => {
  const numbers = {
    evBatteryCapacity: 77.123456789012,
    iceTankCapacity: 0.1,
    buildYear: 2022,
    seats: 0,
  };
  const { json } = await service.call('PUT', '/DE*ABC*life-4', { information: numbers });
  expect(json.information).toEqual(numbers);
});

test('a hundred writers at once make one vehicle once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, seats) =>
      service.call('PUT', '/DE*ABC*life-5', { information: { seats } }),
    ),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 200)).toHaveLength(99);
});

test('a HEAD is a GET without its body', async () => {
  await service.call('PUT', '/DE*ABC*life-6', { information: anonymous });
  const { status, text, headers } = await service.call('HEAD', '/DE*ABC*life-6');
  expect([status, text]).toEqual([200, '']);
  expect(Number(headers['content-length'])).toBeGreaterThan(100);
});

test('on a server that writes dates and numbers in its own way, answers are the same', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client(database.owner);
  await client.connect();
  const habits = {
    datestyle: "'German, DMY'",
    timezone: "'Asia/Tokyo'",
    extra_float_digits: '-6',
    intervalstyle: "'sql_standard'",
    bytea_output: "'escape'",
  };
  for (const [name, value] of Object.entries(habits)) {
    await client.query(`alter database "${database.owner.database}" set ${name} = ${value}`);
  }
  await client.end();
  const elsewhere = await startTestService({ database });
  try {
    const path = '/DE*ABC*elsewhere';
    const made = await elsewhere.call('PUT', path, { information });
    expect(made.json.information).toEqual(information);
    const status = {
      location: { lat: 52.517_041_234_567, lng: 13.388_861_234_567 },
      odometer: 12_345.678_901_234,
      nextServiceDate: '2027-02-01',
    };
    const timestamp = new Date().toISOString();
    expect((await elsewhere.call('PUT', `${path}/status`, { timestamp, ...status })).status).toBe(
      200,
    );
    const expected = { information, status: { ...status, lastUpdated: timestamp } };
    expect((await elsewhere.call('GET', path)).json).toMatchObject(expected);
    const found = await elsewhere.call('POST', '/vehicles', {
      filters: [{ field: 'status.nextServiceDate', value: '2027-02-01' }],
    });
    expect(found.json.items).toMatchObject([expected]);
  } finally {
    await elsewhere.stop();
  }
});
