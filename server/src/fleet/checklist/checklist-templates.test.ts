import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { type ChecklistEntry, maxEntriesOfVehicle } from './checklist-entry.ts';
import { exampleTemplateRequest } from './checklist-template.ts';

let service: TestService;
let vehicles: string[];

beforeAll(async () => {
  service = await startTestService();
  const fleet = await makeFleet(service.db, 'DE', 'ABC', 6);
  vehicles = fleet.map(({ asset }) => `/${asset.id}`);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
});
afterAll(() => service.stop());

const nextVehicle = () => vehicles.pop() ?? '';
const templates = '/checklist-templates';
const named = (name: string, more: object = {}) => ({ ...exampleTemplateRequest, name, ...more });
const create = (body: unknown) => service.call('POST', templates, body);
const apply = (vehicle: string, id: string) =>
  service.call('POST', `${vehicle}/checklist/templates/${id}`);

test('a template is made (201), read, overwritten (200), deleted (204), and then gone (404)', async () => {
  const made = await create(named('Life'));
  expect(made.status).toBe(201);
  const { id, createdAt } = made.json;
  expect(made.json).toEqual({ ...named('Life'), id, createdAt, updatedAt: createdAt });
  const path = `${templates}/${id}`;
  expect(made.headers.location).toBe(`/api/fleets/v1/DE/ABC${path}`);
  expect((await service.call('GET', path)).json).toEqual(made.json);

  // What was read is sent back with one change; `required` left out is false.
  const changed = { ...made.json, entries: [{ title: 'Lights', type: 'check' }] };
  const overwritten = await service.call('PUT', path, changed);
  expect(overwritten.status).toBe(200);
  expect(overwritten.json).toEqual({
    ...changed,
    entries: [{ title: 'Lights', type: 'check', required: false }],
    updatedAt: expect.any(String),
  });

  expect((await service.call('DELETE', path)).status).toBe(204);
  for (const method of ['DELETE', 'GET']) {
    expect((await service.call(method, path)).status, method).toBe(404);
  }
  expect((await service.call('PUT', path, named('Life'))).status).toBe(404);
});

test('a name is taken once: 409 for a second template, also when many are made at once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(named('Taken'))));
  expect(answers.map(({ status }) => status).sort()).toEqual([
    201,
    ...Array.from({ length: 19 }, () => 409),
  ]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.json).toMatchObject({
    type: problemType('name-taken'),
    detail: expect.stringContaining('"Taken"'),
    errors: [{ pointer: '/name', detail: expect.any(String) }],
  });

  const { json: other } = await create(named('taken'));
  const path = `${templates}/${other.id}`;
  expect((await service.call('PUT', path, named('Taken'))).status).toBe(409);
  expect((await service.call('GET', path)).json).toEqual(other);
  expect((await service.call('PUT', path, named('taken'))).status).toBe(200);
  await service.db.query(
    `insert into checklist_templates (provider, name, entries, created_at, updated_at)
     values ('FR-XYZ', 'Foreign', '[]', now(), now())`,
  );
  expect((await create(named('Foreign'))).status).toBe(201);
});

test('what does not fit is 400, and says in which entry', async () => {
  const entry = { title: 'x', type: 'check' };
  for (const [body, pointer] of [
    [{ entries: [entry] }, '/name'],
    [{ name: '', entries: [entry] }, '/name'],
    [{ name: 'x' }, '/entries'],
    [{ name: 'x', entries: [] }, '/entries'],
    [{ name: 'x', entries: Array.from({ length: 501 }, () => entry) }, '/entries'],
    [{ name: 'x', entries: [entry, { ...entry, type: 'select' }] }, '/entries/1/options'],
    [{ name: 'x', entries: [entry, { ...entry, options: ['a'] }] }, '/entries/1/options'],
    [{ name: 'x', entries: [{ ...entry, value: true }] }, '/entries/0/value'],
    [{ name: 'x', entries: [{ ...entry, position: 1 }] }, '/entries/0/position'],
  ] as const) {
    for (const [method, path] of [
      ['POST', templates],
      ['PUT', `${templates}/${randomUUID()}`],
    ] as const) {
      const { status, json } = await service.call(method, path, body);
      expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
    }
  }
});

test('templates are listed by name, in pages, filtered and sorted as asked', async () => {
  const entries = [{ title: 'Seat belts', type: 'select', options: ['fine', 'torn'] }];
  for (const name of ['list c', 'List a', 'list B']) await create(named(name, { entries }));
  const names = async (more: object[], rest: object = {}) => {
    const filters = [{ field: 'name', operator: 'startsWith', value: 'list ' }, ...more];
    const { json } = await service.call('POST', `${templates}/search`, { filters, ...rest });
    return json.items.map(({ name }: { name: string }) => name);
  };
  const all = ['List a', 'list B', 'list c'];
  expect(await names([])).toEqual(all);
  expect(await names([], { pagination: { pageSize: 2, pageNumber: 1 } })).toEqual(['list c']);
  expect(await names([{ field: 'entries.title', value: 'seat belts' }])).toEqual(all);
  expect(await names([{ field: 'entries.type', operator: 'ne', value: 'select' }])).toEqual([]);
  expect(await names([{ field: 'entries.options', value: 'torn' }])).toEqual(all);
  expect(await names([{ field: 'entries.options', value: 'winter' }])).toEqual([]);
  expect(await names([{ field: 'entries.required', value: true }])).toEqual([]);
  expect(await names([{ value: 'T B' }])).toEqual(['list B']);
  const sorting = [{ field: 'name', direction: 'desc' }];
  expect(await names([], { sorting })).toEqual(all.toReversed());
});

test('a template is put on a vehicle in one call: all entries, at the end, in their order', async () => {
  const vehicle = nextVehicle();
  const { json: template } = await create(named('Apply'));
  await service.call('POST', `${vehicle}/checklist`, { title: 'First', type: 'text', position: 4 });
  const applied = await apply(vehicle, template.id);
  expect(applied.status).toBe(201);
  expect(applied.headers.location).toBe(`/api/fleets/v1/DE/ABC${vehicle}/checklist`);
  expect(applied.json.items).toEqual(
    template.entries.map((entry: object, index: number) => ({
      ...entry,
      position: 5 + index,
      id: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })),
  );
  const { json: list } = await service.call('GET', `${vehicle}/checklist`);
  expect(list.items.slice(1)).toEqual(applied.json.items);

  // Copies: neither a change nor the deletion of the template affects them.
  await service.call('DELETE', `${templates}/${template.id}`);
  expect((await service.call('GET', `${vehicle}/checklist`)).json).toEqual(list);
  expect((await apply(vehicle, template.id)).status).toBe(404);
});

test('a template that is put on a vehicle several times at once stays in one piece each time', async () => {
  const vehicle = nextVehicle();
  const { json: template } = await create(named('Together'));
  await Promise.all(Array.from({ length: 10 }, () => apply(vehicle, template.id)));
  const { json } = await service.call('GET', `${vehicle}/checklist`);
  const expected = Array.from({ length: 10 }, () => template.entries).flat();
  expect(json.items.map(({ title }: ChecklistEntry) => title)).toEqual(
    expected.map(({ title }) => title),
  );
  expect(json.items.map(({ position }: ChecklistEntry) => position)).toEqual([...expected.keys()]);
});

test('a vehicle has no more entries than it may have, of templates that are put on it at once', async () => {
  const vehicle = nextVehicle();
  const { id } = (await create(named('Many'))).json;
  const added = exampleTemplateRequest.entries.length;
  await service.db.query(
    `insert into checklist_entries (provider, vehicle_id, position, ordinal, title, type, created_at, updated_at)
     select 'DE-ABC', $1, number, number, 'x', 'check', now(), now() from generate_series(0, $2) number`,
    [vehicle.slice(1), maxEntriesOfVehicle - 2 * added],
  );
  const answers = await Promise.all([1, 2, 3].map(() => apply(vehicle, id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.json.type).toEqual(problemType('too-many-checklist-entries'));
  const entry = () => service.call('POST', `${vehicle}/checklist`, { title: 'x', type: 'check' });
  for (let left = added - 1; left > 0; left--) expect((await entry()).status).toBe(201);
  expect((await entry()).json.type).toEqual(problemType('too-many-checklist-entries'));
  const { json } = await service.call('GET', `${vehicle}/checklist?pageSize=1`);
  expect(json.pagination.totalEntries).toBe(maxEntriesOfVehicle);
});

test('another provider’s templates and vehicles are not there', async () => {
  const [foreign] = await service.db.query<{ id: string }>(
    `insert into checklist_templates (provider, name, entries, created_at, updated_at)
     values ('FR-XYZ', 'Theirs', '[{"title": "x", "type": "check", "required": true}]', now(), now())
     returning id`,
  );
  const vehicle = nextVehicle();
  const { json: own } = await create(named('Own'));
  const path = `${templates}/${foreign?.id}`;
  expect((await service.call('GET', path)).status).toBe(404);
  expect((await service.call('PUT', path, named('Mine now'))).status).toBe(404);
  expect((await service.call('DELETE', path)).status).toBe(404);
  expect((await apply(vehicle, foreign?.id ?? '')).status).toBe(404);
  expect((await apply('/FR*XYZ*T0000', own.id)).status).toBe(404);
  const { json } = await service.call('GET', `${templates}?pageSize=1000`);
  expect(json.items.map(({ name }: { name: string }) => name)).not.toContain('Theirs');
});

test('text that is not ASCII is found in any case', async () => {
  const entries = [{ title: 'x', type: 'check' }];
  await service.call('POST', '/checklist-templates', { name: 'Übergabe', entries });
  for (const [operator, value] of [
    ['eq', 'Übergabe'],
    ['eq', 'üBERGABE'],
    ['contains', 'ÜBER'],
    ['in', ['übergabe']],
  ]) {
    const filters = [{ field: 'name', operator, value }];
    const { json } = await service.call('POST', '/checklist-templates/search', { filters });
    expect(
      json.items.map(({ name }: { name: string }) => name),
      `${operator} ${value}`,
    ).toEqual(['Übergabe']);
  }
});

test('a template whose entries are too much for a page is refused', async () => {
  const options = Array.from({ length: 50 }, (_, index) => `${index} ${'x'.repeat(80)}`);
  const entries = Array.from({ length: 10 }, () => ({ title: 'x', type: 'select', options }));
  const { status, json } = await service.call('POST', '/checklist-templates', {
    name: 'Big',
    entries,
  });
  expect([status, json.errors[0].pointer]).toEqual([400, '/entries']);
});
