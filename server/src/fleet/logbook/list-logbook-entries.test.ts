import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { categories, type LogbookEntry } from './logbook-entry.ts';
import { logbookFields } from './logbook-fields.ts';

let service: TestService;
let entries: LogbookEntry[];
const vehicle = 'DE*ABC*T0000';
const neighbour = 'DE*ABC*T0007';

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 3);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
  for (let index = 0; index < 48; index++) {
    const made = await service.call('POST', `/${vehicle}/logbook`, makeRequest(index));
    expect(made.status).toBe(201);
    if (index % 5 === 0) {
      await service.call('PUT', `/${vehicle}/logbook/${made.json.id}`, makeRequest(index));
    }
    if (index % 4 === 0) await addFile(made.json.id, `invoice-${index}.pdf`, false);
    if (index % 5 === 0) await linkReport(made.json.id, index);
    if (index % 12 === 0) await addFile(made.json.id, `Receipt-${index % 5}.png`, true);
  }
  await service.call('POST', `/${neighbour}/logbook`, { date: '2026-01-01', title: 'Elsewhere' });
  entries = (await list({ pageSize: 1_000 })).items;
  expect(entries).toHaveLength(48);
});
afterAll(() => service.stop());

/** Every field set on some and missing on others, and many equal values. */
function makeRequest(index: number) {
  const some = <Value>(every: number, value: Value) => (index % every === 0 ? undefined : value);
  return {
    date: `2026-0${1 + (index % 9)}-${10 + (index % 3)}`,
    odometer: some(4, (index * 977) % 20_000),
    category: some(7, categories[index % categories.length]),
    title: `Entry ${['Öl', 'oil_100%', 'OIL'][index % 3]} ${index % 10}`,
    description: some(3, `Note ${index % 6}`),
    cost: some(5, {
      amount: ((index * 1_301) % 9_000) - 2_000,
      currency: ['EUR', 'CHF', 'JPY'][index % 3],
    }),
    customer: some(6, {
      mobilityProviderCountryCode: ['DE', 'FR'][index % 2],
      mobilityProviderCode: ['MOB', 'CAR', 'mob'][index % 3],
      customerId: `7c9e6679-7425-40de-944b-${String(index % 8).padStart(12, '0')}`,
    }),
    tags: some(
      8,
      ['Warranty', 'leasing', 'übergabe', `t${index % 4}`].filter((_, at) => (index >> at) % 2),
    ),
  };
}

/** As the completion of maintenance writes it. */
async function linkReport(entryId: string, index: number) {
  const report = `7c9e6679-7425-40de-944b-${String(index % 3).padStart(12, '0')}`;
  await service.db.query('update logbook_entries set maintenance_report_id = $2 where id = $1', [
    entryId,
    report,
  ]);
}

async function addFile(entryId: string, filename: string, uploaded: boolean) {
  const key = uploaded ? `DE-ABC/${entryId}` : null;
  if (uploaded) {
    await service.db.query(`insert into stored_objects (provider, key) values ('DE-ABC', $1)`, [
      key,
    ]);
  }
  await service.db.query(
    `insert into blobs
       (provider, vehicle_id, owner, entry_id, filename, content_type, created_at, object_key, size, uploaded_at)
     values ('DE-ABC', $1, 'logbook', $2, $3, 'application/pdf', now(), $4, $5, $6)`,
    [vehicle, entryId, filename, key, uploaded ? 1 : null, uploaded ? new Date() : null],
  );
}

type Search = { filters?: unknown; sorting?: unknown; pageNumber?: number; pageSize?: number };

async function list({ pageNumber, pageSize, ...body }: Search = {}, of = vehicle) {
  const pagination = { pageNumber, pageSize };
  return itemsOf(await service.call('POST', `/${of}/logbook/search`, { ...body, pagination }));
}

function itemsOf(answer: Awaited<ReturnType<TestService['call']>>) {
  const items = (answer.json.items ?? []) as LogbookEntry[];
  return { ...answer, items, ids: idsOf(items) };
}
const idsOf = (some: readonly LogbookEntry[]) => some.map(({ id }) => id);
const everything = { pageSize: 1_000 };

/** All values under a path, those of arrays one by one. */
function valuesAt(at: unknown, path: string): unknown[] {
  if (at === undefined) return [];
  if (Array.isArray(at)) return at.flatMap((one) => valuesAt(one, path));
  if (path === '') return [at];
  const [name = '', ...rest] = path.split('.');
  return valuesAt((at as Record<string, unknown>)[name], rest.join('.'));
}
const fold = (value: unknown) =>
  (typeof value === 'string' ? value.toLowerCase() : value) as string | number;

describe('plain parameters', () => {
  const get = async (query: string) =>
    itemsOf(await service.call('GET', `/${vehicle}/logbook?${query}`));

  test('ask for the same as a search with its page and filters', async () => {
    expect((await get('')).json).toEqual((await list()).json);
    const filters = [{ field: 'category', value: 'service' }];
    const found = await list({ filters, pageSize: 3, pageNumber: 1 });
    expect((await get('category=service&pageSize=3&pageNumber=1')).json).toEqual(found.json);
    expect(found.ids.length).toBeGreaterThan(0);
    expect(found.ids.length).toBeLessThan(entries.length);
  });

  test('that do not fit are 400, and so are filters and sorting', async () => {
    for (const [query, pointer] of [
      ['category=nonsense', '?category'],
      ['pageSize=0', '?pageSize'],
      ['filters=[]', '?filters'],
      ['sorting=[]', '?sorting'],
    ]) {
      const { status, json } = await get(query ?? '');
      expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
    }
  });
});

describe('page', () => {
  test('the newest date comes first, then what was written last', async () => {
    const key = ({ date, createdAt }: LogbookEntry) => date + createdAt;
    const sorted = [...entries].sort((a, b) => {
      if (key(a) === key(b)) return a.id < b.id ? -1 : 1;
      return key(a) < key(b) ? 1 : -1;
    });
    expect((await list()).ids).toEqual(idsOf(sorted));
  });

  test('pages of any size, under any order, hold every entry once', async () => {
    for (const sorting of [[], [{ field: 'category' }], [{ field: 'date', direction: 'desc' }]]) {
      const seen: string[] = [];
      for (let pageNumber = 0; pageNumber < 6; pageNumber++) {
        const { ids, json } = await list({ sorting, pageNumber, pageSize: 9 });
        expect(json.pagination).toEqual({ pageNumber, pageSize: 9, totalEntries: 48 });
        seen.push(...ids);
      }
      expect(seen.toSorted()).toEqual(idsOf(entries).toSorted());
    }
  });

  test('an entry is the same in the list as by itself, files included', async () => {
    for (const entry of entries.slice(0, 12)) {
      expect((await service.call('GET', `/${vehicle}/logbook/${entry.id}`)).json).toEqual(entry);
    }
    expect(entries.filter(({ blobs }) => blobs?.length === 2)).toHaveLength(4);
    expect(entries.filter(({ blobs }) => blobs === undefined)).toHaveLength(36);
  });

  test('another vehicle’s entries are not among them, and a vehicle without any has an empty page', async () => {
    const { items } = await list({}, neighbour);
    expect(items.map(({ title }) => title)).toEqual(['Elsewhere']);
    const empty = await list({}, 'DE*ABC*T0014');
    expect([empty.status, empty.json]).toEqual([
      200,
      { items: [], pagination: { pageNumber: 0, pageSize: 100, totalEntries: 0 } },
    ]);
    for (const missing of ['DE*ABC*nowhere', 'FR*XYZ*T0000']) {
      expect((await list({}, missing)).status).toBe(404);
    }
  });
});

describe('filters', () => {
  test.each(logbookFields.filter(({ type }) => type !== 'object'))(
    '$path takes every operator of its type and answers exactly',
    async ({ path, type, values: words }) => {
      const values = entries.flatMap((entry) => valuesAt(entry, path));
      const sample = values[Math.floor(values.length / 2)];
      expect(sample).toBeDefined();
      const is = (value: unknown) => fold(value) === fold(sample);
      type Case = [string, unknown, (values: unknown[]) => boolean];
      const cases: Case[] = [
        ['eq', sample, (all) => all.some(is)],
        ['ne', sample, (all) => !all.some(is)],
        [
          'in',
          [sample, values[0]],
          (all) => all.some((one) => is(one) || fold(one) === fold(values[0])),
        ],
        ['notIn', [sample], (all) => !all.some(is)],
        ['in', [], () => false],
        ['notIn', [], () => true],
        ['exists', true, (all) => all.length > 0],
        ['exists', false, (all) => all.length === 0],
      ];
      if (!['boolean', 'uuid'].includes(type) && !words) {
        cases.push(
          ['lt', sample, (all) => all.some((one) => fold(one) < fold(sample))],
          ['lte', sample, (all) => all.some((one) => fold(one) <= fold(sample))],
          ['gt', sample, (all) => all.some((one) => fold(one) > fold(sample))],
          ['gte', sample, (all) => all.some((one) => fold(one) >= fold(sample))],
        );
      }
      if (type === 'text') {
        const part = String(sample).slice(0, 2).toUpperCase();
        const folded = part.toLowerCase();
        cases.push(
          ['contains', part, (all) => all.some((one) => String(fold(one)).includes(folded))],
          ['startsWith', part, (all) => all.some((one) => String(fold(one)).startsWith(folded))],
          ['eq', String(sample).toUpperCase(), (all) => all.some(is)],
        );
      }
      for (const [operator, value, keep] of cases) {
        const { ids, json } = await list({
          filters: [{ field: path, operator, value }],
          ...everything,
        });
        const expected = entries.filter((entry) => keep(valuesAt(entry, path)));
        expect(ids, `${operator} ${JSON.stringify(value)}`).toEqual(idsOf(expected));
        expect(json.pagination.totalEntries).toBe(ids.length);
      }
    },
  );

  test.each(['cost', 'customer', 'blobs'] as const)('%s exists or does not', async (path) => {
    for (const value of [true, false]) {
      const { ids } = await list({
        filters: [{ field: path, operator: 'exists', value }],
        ...everything,
      });
      expect(ids).toEqual(idsOf(entries.filter((entry) => (entry[path] !== undefined) === value)));
      expect(ids.length).toBeGreaterThan(0);
    }
  });

  test('all of them must hold, and a bare name stands for its field', async () => {
    const { ids } = await list({
      filters: [
        { field: 'currency', value: 'eur' },
        { field: 'amount', operator: 'lt', value: 0 },
        { field: 'tags', operator: 'ne', value: 'LEASING' },
      ],
      ...everything,
    });
    expect(ids).toEqual(
      idsOf(
        entries.filter(
          ({ cost, tags }) =>
            cost?.currency === 'EUR' && cost.amount < 0 && !tags?.includes('leasing'),
        ),
      ),
    );
    expect(ids.length).toBeGreaterThan(0);
  });

  test('one without a field looks for literal text in title and description', async () => {
    for (const text of ['OIL_100%', 'note 5']) {
      const { ids } = await list({ filters: [{ value: text }], ...everything });
      const includes = (field: string | undefined) =>
        field?.toLowerCase().includes(text.toLowerCase());
      expect(ids).toEqual(
        idsOf(entries.filter(({ title, description }) => includes(title) || includes(description))),
      );
      expect(ids.length).toBeGreaterThan(0);
    }
  });

  test('what does not fit is 400 and says what does, before anything is looked for', async () => {
    for (const [query, pointer, detail] of [
      [{ filters: [{ field: 'price', value: 1 }] }, '/filters/0/field', 'cost.amount'],
      [{ filters: [{ field: 'odometer', value: '1' }] }, '/filters/0/value', 'a finite number'],
      [{ filters: [{ field: 'cost', operator: 'eq', value: 1 }] }, '/filters/0/operator', 'exists'],
      [{ filters: [{ field: 'date', value: '2026-02-29' }] }, '/filters/0/value', 'calendar date'],
      [{ filters: [{ field: 'tags', value: ['a'] }] }, '/filters/0/value', 'a string'],
      [{ sorting: [{ field: 'tags' }] }, '/sorting/0/field', 'createdAt'],
      [{ sorting: [{ field: 'blobs.filename' }] }, '/sorting/0/field', 'createdAt'],
      [{ sorting: [{ field: 'cost' }] }, '/sorting/0/field', 'cost.amount'],
      [{ pageSize: 0 }, '/pagination/pageSize', 'from 1 to 1000'],
    ] as const) {
      for (const of of [vehicle, 'DE*ABC*nowhere']) {
        const { status, json } = await list(query, of);
        expect(status, JSON.stringify(query)).toBe(400);
        expect(json.errors[0].pointer).toBe(pointer);
        expect(json.errors[0].detail).toContain(detail);
      }
    }
  });
});

test.each(logbookFields.filter(({ type, anyOf }) => type !== 'object' && anyOf === undefined))(
  'sorted by $path in both directions, missing last, the id between equals',
  async ({ path }) => {
    for (const direction of ['asc', 'desc'] as const) {
      const sign = direction === 'asc' ? 1 : -1;
      const key = (entry: LogbookEntry) => fold(valuesAt(entry, path)[0]);
      const sorted = [...entries].sort((a, b) => {
        const [left, right] = [key(a), key(b)];
        if (left === right) return a.id < b.id ? -1 : 1;
        if (left === undefined) return 1;
        if (right === undefined) return -1;
        return left < right ? -sign : sign;
      });
      const { ids } = await list({ sorting: [{ field: path, direction }], ...everything });
      expect(ids).toEqual(idsOf(sorted));
    }
  },
);
