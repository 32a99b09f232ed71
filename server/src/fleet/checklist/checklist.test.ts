import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { deleteReleasedBytes } from '../../testing/uploads.ts';
import { type ChecklistEntry, exampleRequest, maxPosition } from './checklist-entry.ts';

let service: TestService;
let vehicles: string[];

beforeAll(async () => {
  service = await startTestService();
  const fleet = await makeFleet(service.db, 'DE', 'ABC', 20);
  vehicles = fleet.map(({ asset }) => `/${asset.id}`);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});
afterAll(() => service.stop());

/** A vehicle without entries for each test. */
const nextVehicle = () => vehicles.pop() ?? '';
const create = (vehicle: string, body: unknown) =>
  service.call('POST', `${vehicle}/checklist`, body);
const list = (vehicle: string, body: object = {}) =>
  service.call('POST', `${vehicle}/checklist/search`, body);
const titles = async (vehicle: string, body: object = {}) =>
  (await list(vehicle, body)).json.items.map(({ title }: ChecklistEntry) => title);
const check = (title: string, more: object = {}) => ({ title, type: 'check', ...more });

test('an entry is made (201), read, overwritten (200), deleted (204), and then gone (404)', async () => {
  const vehicle = nextVehicle();
  const made = await create(vehicle, exampleRequest);
  expect(made.status).toBe(201);
  const { id } = made.json;
  const time = expect.stringMatching(/\.\d{3}Z$/);
  expect(made.json).toEqual({ ...exampleRequest, id, createdAt: time, updatedAt: time });
  const path = `${vehicle}/checklist/${id}`;
  expect(made.headers.location).toBe(`/api/fleets/v1/DE/ABC${path}`);
  expect((await service.call('GET', path)).json).toEqual(made.json);
  expect((await list(vehicle)).json).toEqual({
    items: [made.json],
    pagination: { pageSize: 100, pageNumber: 0, totalEntries: 1 },
  });

  const overwritten = await service.call('PUT', path, check('Lights'));
  expect(overwritten.status).toBe(200);
  const { createdAt } = made.json;
  expect(overwritten.json).toEqual({
    ...{ id, title: 'Lights', type: 'check', required: false, position: 0, createdAt },
    updatedAt: time,
  });
  expect((await service.call('GET', path)).json).toEqual(overwritten.json);

  expect((await service.call('DELETE', path)).status).toBe(204);
  for (const method of ['DELETE', 'GET']) {
    expect((await service.call(method, path)).status, method).toBe(404);
  }
  expect((await service.call('PUT', path, check('Lights'))).status).toBe(404);
});

test('what was read can be sent back as it is', async () => {
  const vehicle = nextVehicle();
  const { json } = await create(vehicle, exampleRequest);
  const sent = { ...json, blobs: [{ uuid: randomUUID(), filename: 'x', uploaded: true }] };
  const path = `${vehicle}/checklist/${json.id}`;
  const again = await service.call('PUT', path, { ...sent, id: 'another' });
  expect(again.json).toEqual({ ...json, updatedAt: again.json.updatedAt });
});

describe('value', () => {
  const select = { type: 'select', options: ['summer', 'winter'] };

  test.each([
    [{ type: 'check' }, [true, false]],
    [{ type: 'number' }, [0, -1.5, 1e308, 2.3e-308, 9_007_199_254_740_991]],
    [{ type: 'text' }, ['', 'true', '12', '🚗', 'x'.repeat(10_000)]],
    [select, ['summer', 'winter']],
  ])('%j takes %j and answers it as it was sent', async (item, values) => {
    const vehicle = nextVehicle();
    for (const value of values) {
      const { status, json } = await create(vehicle, { title: 'x', ...item, value });
      expect([status, json.value]).toEqual([201, value]);
    }
  });

  test.each([
    [{ type: 'check', value: 'true' }, '/value', 'true or false'],
    [{ type: 'check', value: 1 }, '/value', 'true or false'],
    [{ type: 'number', value: '12' }, '/value', 'a finite number'],
    [{ type: 'number', value: true }, '/value', 'a finite number'],
    [{ type: 'text', value: 12 }, '/value', 'a string'],
    [{ type: 'text', value: 'x'.repeat(10_001) }, '/value', 'at most 10000'],
    [{ type: 'text', value: ['x'] }, '/value', 'a boolean or a number or a string'],
    [{ ...select, value: 'Winter' }, '/value', 'one of the options'],
    [{ ...select, value: true }, '/value', 'one of the options'],
    [{ type: 'select' }, '/options', 'required'],
    [{ type: 'select', value: 'x' }, '/options', 'required'],
    [{ type: 'select', options: [] }, '/options', 'at least 1 element'],
    [{ type: 'select', options: ['a', 'b', 'a'] }, '/options', 'an element twice'],
    [{ type: 'select', options: Array.from({ length: 101 }, String) }, '/options', '100'],
    [{ type: 'select', options: [''] }, '/options/0', '1 to 200'],
    [{ type: 'check', options: ['a'] }, '/options', 'select'],
    [{ type: 'photo' }, '/type', 'check, number, text, select'],
    [{ type: 'check', title: '' }, '/title', '1 to 200'],
    [{ type: 'check', result: 'ok' }, '/result', 'pass, flag, fail'],
    [{ type: 'check', dueDate: '2026-02-29' }, '/dueDate', 'calendar date'],
    [{ type: 'check', performedAt: '2026-02-28' }, '/performedAt', 'offset'],
    [{ type: 'check', position: -1 }, '/position', 'from 0 to 1000000'],
    [{ type: 'check', position: 1.5 }, '/position', 'integer'],
    [{ type: 'check', customer: { customerId: randomUUID() } }, '/customer/mobil', 'required'],
  ])('%j is 400, and says where and what', async (body, pointer, detail) => {
    const vehicle = '/DE*ABC*nowhere';
    for (const [method, path] of [
      ['POST', `${vehicle}/checklist`],
      ['PUT', `${vehicle}/checklist/${randomUUID()}`],
    ] as const) {
      const { status, json } = await service.call(method, path, { title: 'x', ...body });
      expect(status).toBe(400);
      expect(json.errors[0].pointer.startsWith(pointer), json.errors[0].pointer).toBe(true);
      expect(json.errors[0].detail).toContain(detail);
    }
  });
});

describe('position', () => {
  test('left out it is the end of the list; a new one stays put when it is overwritten without', async () => {
    const vehicle = nextVehicle();
    await create(vehicle, check('a'));
    const { json: b } = await create(vehicle, check('b', { position: 7 }));
    const { json: c } = await create(vehicle, check('c'));
    expect([b.position, c.position]).toEqual([7, 8]);
    await service.call('PUT', `${vehicle}/checklist/${b.id}`, check('b2'));
    expect(await titles(vehicle)).toEqual(['a', 'b2', 'c']);
    await service.call('PUT', `${vehicle}/checklist/${c.id}`, check('c2', { position: 0 }));
    await create(vehicle, check('d', { position: 3 }));
    expect(await titles(vehicle)).toEqual(['a', 'c2', 'd', 'b2']);
  });

  test('may be shared, and then the older entry comes first; the last place of all takes any number', async () => {
    const vehicle = nextVehicle();
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const name of names) await create(vehicle, check(name, { position: 4 }));
    expect(await titles(vehicle)).toEqual(names);
    await create(vehicle, check('last', { position: maxPosition }));
    const { json } = await create(vehicle, check('after it'));
    expect(json.position).toBe(maxPosition);
    expect(await titles(vehicle)).toEqual([...names, 'last', 'after it']);
  });

  test('many who add to the end at once get a place each', async () => {
    const vehicle = nextVehicle();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => create(vehicle, check(String(index)))),
    );
    const positions = answers.map(({ json }) => json.position).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });
});

test('the list is filtered, sorted and paged as asked', async () => {
  const vehicle = nextVehicle();
  await create(vehicle, { ...exampleRequest, position: undefined });
  await create(
    vehicle,
    check('Brakes', { result: 'fail', comment: 'Squeal', dueDate: '2026-12-01' }),
  );
  await create(vehicle, check('Wipers', { required: true, value: false }));
  const filtered = (...filters: object[]) => titles(vehicle, { filters });
  const tyres = exampleRequest.title;
  for (const [filter, expected] of [
    [{ field: 'result', operator: 'in', value: ['pass', 'fail'] }, [tyres, 'Brakes']],
    [{ field: 'options', value: 'WINTER' }, [tyres]],
    [{ field: 'options', operator: 'ne', value: 'winter' }, ['Brakes', 'Wipers']],
    [{ field: 'required', value: true }, [tyres, 'Wipers']],
    [{ field: 'value', operator: 'exists', value: true }, [tyres, 'Wipers']],
    [{ field: 'dueDate', operator: 'gt', value: '2026-11-30' }, ['Brakes']],
    [{ field: 'customer', operator: 'exists', value: true }, [tyres]],
    [{ field: 'customer.customerId', value: exampleRequest.customer?.customerId }, [tyres]],
    [{ field: 'performedAt', value: exampleRequest.performedAt }, [tyres]],
    [{ field: 'blobs', operator: 'exists', value: false }, [tyres, 'Brakes', 'Wipers']],
    [{ field: 'position', operator: 'gte', value: 1 }, ['Brakes', 'Wipers']],
    [{ value: 'squeal' }, ['Brakes']],
  ] as const) {
    expect(await filtered(filter), JSON.stringify(filter)).toEqual(expected);
  }
  const sorting = [{ field: 'title', direction: 'desc' }];
  expect(await titles(vehicle, { sorting, pagination: { pageSize: 2 } })).toEqual([
    'Wipers',
    tyres,
  ]);
  expect(await titles(vehicle, { sorting, pagination: { pageSize: 2, pageNumber: 1 } })).toEqual([
    'Brakes',
  ]);
  const refused = await list('/DE*ABC*nowhere', { filters: [{ field: 'value', value: 1 }] });
  expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/filters/0/operator']);
});

test('an entry carries its files, and takes their records and bytes with it when it is deleted', async () => {
  const vehicle = nextVehicle();
  const { json: entry } = await create(vehicle, check('Lights'));
  const { json: other } = await create(vehicle, check('Brakes'));
  const key = `checklist-test/${randomUUID()}`;
  await service.blobs.put(key, Readable.from(['bytes']));
  await service.db.query("insert into stored_objects (provider, key) values ('DE-ABC', $1)", [key]);
  const announce = (entryId: string, filename: string, objectKey: string | null) =>
    service.db.query(
      `insert into blobs
         (provider, vehicle_id, owner, entry_id, filename, content_type, created_at, object_key, size, uploaded_at)
       values ('DE-ABC', $1, 'checklist', $2, $3, 'text/plain', now(), $4, $5, $6)`,
      [vehicle.slice(1), entryId, filename, objectKey, objectKey && 5, objectKey && new Date()],
    );
  await announce(entry.id, 'lights.txt', key);
  await announce(other.id, 'brakes.txt', null);

  const path = `${vehicle}/checklist/${entry.id}`;
  const blobs = [{ uuid: expect.any(String), filename: 'lights.txt', uploaded: true }];
  expect((await service.call('GET', path)).json).toEqual({ ...entry, blobs });
  expect((await service.call('PUT', path, check('Lights'))).json.blobs).toEqual(blobs);
  const uploaded = [{ field: 'blobs.uploaded', value: true }];
  expect(await titles(vehicle, { filters: uploaded })).toEqual(['Lights']);

  expect((await service.call('DELETE', path)).status).toBe(204);
  const left = await service.db.query<{ filename: string }>(
    'select filename from blobs where vehicle_id = $1',
    [vehicle.slice(1)],
  );
  expect(left).toEqual([{ filename: 'brakes.txt' }]);
  await deleteReleasedBytes(service);
  expect(await service.db.query('select 1 from stored_objects where key = $1', [key])).toEqual([]);
  await expect(service.blobs.get(key)).rejects.toThrow();
});

test('another vehicle’s and another provider’s entries are not there', async () => {
  const [vehicle, other] = [nextVehicle(), nextVehicle()];
  const { json } = await create(vehicle, check('Lights'));
  for (const path of [
    `${other}/checklist/${json.id}`,
    `/FR*XYZ*T0000/checklist/${json.id}`,
    `${vehicle}/checklist/${randomUUID()}`,
    `${vehicle}/checklist/1`,
  ]) {
    expect((await service.call('GET', path)).status, path).toBe(404);
    expect((await service.call('PUT', path, check('x'))).status, path).toBe(404);
    expect((await service.call('DELETE', path)).status, path).toBe(404);
  }
  expect((await create('/FR*XYZ*T0000', check('x'))).status).toBe(404);
  expect((await list('/FR*XYZ*T0000')).status).toBe(404);
});
