import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { Vehicle } from './vehicle.ts';
import { vehicleFields } from './vehicle-fields.ts';

let service: TestService;
let fleet: Vehicle[];

beforeAll(async () => {
  service = await startTestService();
  fleet = await makeFleet(service.db, 'DE', 'ABC', 137);
  await makeFleet(service.db, 'FR', 'XYZ', 9);
});
afterAll(() => service.stop());

async function find(body?: unknown) {
  const answer = await service.call('POST', '/vehicles', body);
  return { ...answer, items: answer.json.items as Vehicle[], ids: idsOf(answer.json.items ?? []) };
}
const idsOf = (vehicles: Vehicle[]) => vehicles.map(({ asset }) => asset.id);
const byId = (a: Vehicle, b: Vehicle) => (a.asset.id < b.asset.id ? -1 : 1);
const expected = (keep: (vehicle: Vehicle) => boolean) => idsOf(fleet.filter(keep).sort(byId));
const collator = new Intl.Collator('en');
/** Text in the order of the Unicode collation. */
const compare = (a: unknown, b: unknown) =>
  typeof a === 'string' && typeof b === 'string'
    ? collator.compare(a, b)
    : Number((a as number) > (b as number)) - Number((a as number) < (b as number));
const everything = { pagination: { pageSize: 1_000 } };

function valueAt(vehicle: Vehicle, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], vehicle);
}

describe('page', () => {
  test('no body, an empty body and {} are the first 100 by id', async () => {
    for (const body of [undefined, {}]) {
      const { status, json, ids } = await find(body);
      expect(status).toBe(200);
      expect(ids).toEqual(expected(() => true).slice(0, 100));
      expect(json.pagination).toEqual({ pageSize: 100, pageNumber: 0, totalEntries: 137 });
    }
    const empty = await service.call('POST', '/vehicles', undefined, {
      'content-type': 'application/json',
      'content-length': '0',
    });
    expect(empty.json.pagination.totalEntries).toBe(137);
  });

  test('an item is the vehicle as it was written, absent values absent', async () => {
    const { items } = await find(everything);
    expect(items).toEqual([...fleet].sort(byId));
  });

  test('pages of any size, under any order, hold every vehicle once', async () => {
    for (const sorting of [
      [],
      [{ field: 'information.vendor' }],
      [{ field: 'status.isCharging', direction: 'desc' }],
    ]) {
      const seen: string[] = [];
      for (let pageNumber = 0; pageNumber < 8; pageNumber++) {
        const { ids, json } = await find({ sorting, pagination: { pageNumber, pageSize: 20 } });
        expect(json.pagination).toEqual({ pageNumber, pageSize: 20, totalEntries: 137 });
        seen.push(...ids);
      }
      expect(seen.length).toBe(137);
      expect(new Set(seen).size).toBe(137);
    }
  });

  test('a page past the end is empty with the true total', async () => {
    for (const pageNumber of [7, Number.MAX_SAFE_INTEGER]) {
      const { ids, json } = await find({ pageRequest: { pageNumber, pageSize: 20 } });
      expect(ids).toEqual([]);
      expect(json.pagination.totalEntries).toBe(137);
    }
  });

  test('bounds are named, never clamped', async () => {
    for (const [pagination, bound] of [
      [{ pageSize: 0 }, 'from 1 to 1000'],
      [{ pageSize: 1_001 }, 'from 1 to 1000'],
      [{ pageNumber: -1 }, 'at least 0'],
      [{ pageNumber: 1.5 }, 'integer'],
      [{ pageSize: '10' }, 'integer'],
    ] as const) {
      const { status, json } = await find({ pagination });
      expect(status).toBe(400);
      expect(json.detail).toContain(bound);
    }
    const both = await find({ pagination: {}, pageRequest: {} });
    expect(both.status).toBe(400);
  });
});

describe('searchText', () => {
  test('is found in vin, licensePlate, vendor, model and variant, without regard to case', async () => {
    for (const path of ['vin', 'licensePlate', 'vendor', 'model', 'variant']) {
      const sample = fleet.find((vehicle) => valueAt(vehicle, `information.${path}`) !== undefined);
      const text = String(valueAt(sample as Vehicle, `information.${path}`)).slice(1);
      const includes = (vehicle: Vehicle) =>
        ['vin', 'licensePlate', 'vendor', 'model', 'variant'].some((name) =>
          String(valueAt(vehicle, `information.${name}`) ?? '')
            .toLowerCase()
            .includes(text.toLowerCase()),
        );
      for (const searchText of [text.toLowerCase(), text.toUpperCase()]) {
        const { ids, json } = await find({ searchText, ...everything });
        expect(ids).toEqual(expected(includes));
        expect(json.pagination.totalEntries).toBe(ids.length);
      }
      expect(expected(includes).length).toBeGreaterThan(0);
    }
  });

  test('is literal: %, _ and \\ match themselves', async () => {
    for (const character of ['%', '_', '\\']) {
      const { ids } = await find({ searchText: character, ...everything });
      expect(ids).toEqual(
        expected(({ information }) => information.variant?.includes(character) ?? false),
      );
      expect(ids.length).toBeGreaterThan(0);
      expect(ids.length).toBeLessThan(137);
    }
  });

  test('empty restricts nothing; more than 200 characters are refused', async () => {
    expect((await find({ searchText: '' })).json.pagination.totalEntries).toBe(137);
    expect((await find({ searchText: '🚗'.repeat(200) })).status).toBe(200);
    expect((await find({ searchText: 'x'.repeat(201) })).status).toBe(400);
  });
});

describe('filters', () => {
  const fold = (value: unknown) =>
    (typeof value === 'string' ? value.toLowerCase() : value) as string | number;

  test.each(vehicleFields.filter(({ type }) => type !== 'object'))(
    '$path takes every operator of its type and answers exactly',
    async ({ path, type }) => {
      const values = fleet
        .map((vehicle) => valueAt(vehicle, path))
        .filter((value) => value !== undefined);
      const sample = values[Math.floor(values.length / 2)];
      expect(sample).toBeDefined();
      const cases: [string, unknown, (value: unknown) => boolean][] = [
        ['eq', sample, (value) => value !== undefined && fold(value) === fold(sample)],
        ['ne', sample, (value) => value === undefined || fold(value) !== fold(sample)],
        [
          'in',
          [sample, values[0]],
          (value) => value !== undefined && [fold(sample), fold(values[0])].includes(fold(value)),
        ],
        ['notIn', [sample], (value) => value === undefined || fold(value) !== fold(sample)],
        ['notIn', [], () => true],
        ['in', [], () => false],
        ['exists', true, (value) => value !== undefined],
        ['exists', false, (value) => value === undefined],
      ];
      if (!['boolean', 'uuid'].includes(type)) {
        cases.push(
          ['lt', sample, (value) => value !== undefined && compare(fold(value), fold(sample)) < 0],
          [
            'lte',
            sample,
            (value) => value !== undefined && compare(fold(value), fold(sample)) <= 0,
          ],
          ['gt', sample, (value) => value !== undefined && compare(fold(value), fold(sample)) > 0],
          [
            'gte',
            sample,
            (value) => value !== undefined && compare(fold(value), fold(sample)) >= 0,
          ],
        );
      }
      if (type === 'text') {
        const part = String(sample).slice(0, 3);
        cases.push(
          [
            'contains',
            part.toUpperCase(),
            (value) =>
              String(value ?? '')
                .toLowerCase()
                .includes(part.toLowerCase()),
          ],
          [
            'startsWith',
            part.toLowerCase(),
            (value) =>
              String(value ?? '')
                .toLowerCase()
                .startsWith(part.toLowerCase()),
          ],
          ['eq', String(sample).toUpperCase(), (value) => fold(value) === fold(sample)],
        );
      }
      for (const [operator, value, keep] of cases) {
        const { ids, json } = await find({
          filters: [{ field: path, operator, value }],
          ...everything,
        });
        expect(ids, `${operator} ${JSON.stringify(value)}`).toEqual(
          expected((vehicle) => keep(valueAt(vehicle, path))),
        );
        expect(json.pagination.totalEntries).toBe(ids.length);
      }
    },
  );

  test('a bare name stands for the field, eq for a missing operator, and all filters must hold', async () => {
    const { ids } = await find({
      filters: [
        { field: 'vendor', value: 'vw' },
        { field: 'odometer', operator: 'gte', value: 50_000 },
      ],
      ...everything,
    });
    expect(ids).toEqual(
      expected(
        ({ information, status }) =>
          information.vendor === 'VW' && (status.odometer ?? 0) >= 50_000,
      ),
    );
    expect(ids.length).toBeGreaterThan(0);
  });

  test('a filter without a field looks for text as searchText does', async () => {
    const filtered = await find({ filters: [{ value: 'GOLF' }], ...everything });
    expect(filtered.ids).toEqual((await find({ searchText: 'golf', ...everything })).ids);
    expect(filtered.ids.length).toBeGreaterThan(0);
  });

  test('a location exists or does not', async () => {
    const { ids } = await find({
      filters: [{ field: 'status.location', operator: 'exists', value: false }],
      ...everything,
    });
    expect(ids).toEqual(expected(({ status }) => status.location === undefined));
  });

  test('what does not fit is 400 and says what does', async () => {
    for (const [filter, pointer, detail] of [
      [{ field: 'status.speed', value: 1 }, '/filters/0/field', 'status.odometer'],
      [
        { field: 'status.isCharging', operator: 'lt', value: true },
        '/filters/0/operator',
        'eq, ne, in',
      ],
      [
        { field: 'status.odometer', operator: 'contains', value: '1' },
        '/filters/0/operator',
        'gte',
      ],
      [{ field: 'status.odometer', value: '1' }, '/filters/0/value', 'a finite number'],
      [{ field: 'status.odometer', operator: 'in', value: 1 }, '/filters/0/value', 'array'],
      [{ field: 'status.odometer', operator: 'in', value: [1, '2'] }, '/filters/0/value', 'array'],
      [{ field: 'vin', operator: 'exists', value: 'yes' }, '/filters/0/value', 'true or false'],
      [
        { field: 'firstRegistrationDate', value: '2024-02-30' },
        '/filters/0/value',
        'calendar date',
      ],
      [{ field: 'lastUpdated', operator: 'gt', value: '2024-02-03' }, '/filters/0/value', 'offset'],
      [{ field: 'blobUuid', value: 'x' }, '/filters/0/value', 'UUID'],
      [{ field: 'vin', operator: 'like', value: 'x' }, '/filters/0/operator', 'contains'],
      [{ field: 'vin' }, '/filters/0/value', 'required'],
      [{ field: 'vin', value: 'x', compare: 'eq' }, '/filters/0/compare', 'field, operator, value'],
      [{ field: 'vin', value: null }, '/filters/0/value', 'a string'],
      [{ value: 7 }, '/filters/0/value', 'a string'],
    ] as const) {
      const { status, json } = await find({ filters: [filter] });
      expect(status, JSON.stringify(filter)).toBe(400);
      expect(json.errors[0].pointer).toBe(pointer);
      expect(json.errors[0].detail).toContain(detail);
    }
  });

  test('issues of form and of meaning are named together, each place once', async () => {
    const { json } = await find({
      filters: [{ field: 'status.speed', value: 3 }, 7, { field: 'vin', operator: 7, value: 'x' }],
      sorting: [{ field: 'nope' }],
      pagination: { pageSize: 5_000 },
    });
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/filters/0/field',
      '/filters/1',
      '/filters/2/operator',
      '/pagination/pageSize',
      '/sorting/0/field',
    ]);
  });

  test('every issue is named, not only the first; more than 50 filters are refused', async () => {
    const { json } = await find({
      filters: [
        { field: 'nope', value: 1 },
        { field: 'vin', operator: 'eq', value: 1 },
      ],
      sorting: [{ field: 'nope' }],
    });
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/filters/0/field',
      '/filters/1/value',
      '/sorting/0/field',
    ]);
    const many = Array.from({ length: 51 }, () => ({ field: 'vin', value: 'x' }));
    expect((await find({ filters: many })).status).toBe(400);
    expect((await find({ filters: many.slice(1) })).status).toBe(200);
  });
});

describe('sorting', () => {
  test.each(vehicleFields.filter(({ type }) => type !== 'object'))(
    'by $path in both directions, missing last, the id between equals',
    async ({ path }) => {
      for (const direction of ['asc', 'desc'] as const) {
        const sign = direction === 'asc' ? 1 : -1;
        const key = (vehicle: Vehicle) => {
          const value = valueAt(vehicle, path);
          return typeof value === 'string' ? value.toLowerCase() : value;
        };
        const sorted = [...fleet].sort((a, b) => {
          const [left, right] = [key(a), key(b)] as [number, number];
          if (left === right) return byId(a, b);
          if (left === undefined) return 1;
          if (right === undefined) return -1;
          return compare(left, right) * sign;
        });
        const { ids } = await find({ sorting: [{ field: path, direction }], ...everything });
        expect(ids).toEqual(idsOf(sorted));
      }
    },
  );

  test('several keys apply in their order', async () => {
    const { items } = await find({
      sorting: [{ field: 'vendor', direction: 'desc' }, { field: 'odometer' }],
      filters: [{ field: 'odometer', operator: 'exists', value: true }],
      ...everything,
    });
    for (const [index, { information, status }] of items.entries()) {
      const next = items[index + 1];
      if (!next) break;
      const [a, b] = [
        information.vendor?.toLowerCase() ?? '',
        next.information.vendor?.toLowerCase() ?? '',
      ];
      expect(
        a === b ? (status.odometer ?? 0) <= (next.status.odometer ?? 0) : compare(a, b) > 0,
      ).toBe(true);
    }
  });

  test('an object, an unknown field, an unknown direction and an eleventh key are refused', async () => {
    for (const sorting of [
      [{ field: 'status.location' }],
      [{ field: 'nope' }],
      [{ field: 'vin', direction: 'down' }],
      [{}],
      Array.from({ length: 11 }, () => ({ field: 'vin' })),
    ]) {
      expect((await find({ sorting })).status).toBe(400);
    }
  });
});

describe('staleSeconds', () => {
  const seconds = ({ status: { lastUpdated } }: Vehicle) =>
    lastUpdated === undefined
      ? Number.POSITIVE_INFINITY
      : (Date.now() - Date.parse(lastUpdated)) / 1_000;
  const bound = (Date.now() - Date.parse('2026-10-14T12:00:00Z')) / 1_000;

  test('finds vehicles without a message for so long or at all, or those with one since then', async () => {
    for (const field of ['status.staleSeconds', 'staleSeconds']) {
      const stale = await find({
        filters: [{ field, operator: 'gte', value: bound }],
        ...everything,
      });
      expect(stale.ids).toEqual(expected((vehicle) => seconds(vehicle) >= bound));
      const recent = await find({
        filters: [{ field, operator: 'lt', value: bound }],
        ...everything,
      });
      expect(recent.ids).toEqual(expected((vehicle) => seconds(vehicle) < bound));
      expect(Math.min(stale.ids.length, recent.ids.length)).toBeGreaterThan(0);
    }
    const never = await find({
      filters: [{ field: 'staleSeconds', operator: 'gt', value: Number.MAX_VALUE }],
      ...everything,
    });
    expect(never.ids).toEqual(expected(({ status }) => status.lastUpdated === undefined));
  });

  test('sorts vehicles without any message as the stalest, and is in no response', async () => {
    const { items } = await find({
      sorting: [{ field: 'staleSeconds', direction: 'desc' }],
      ...everything,
    });
    const order = items.map(seconds);
    expect(order[0]).toBe(Number.POSITIVE_INFINITY);
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    expect(JSON.stringify(items)).not.toContain('stale');
  });
});

test('another provider’s vehicles are never among them', async () => {
  const { ids } = await find({ searchText: 'FR', ...everything });
  expect(ids.every((id) => id.startsWith('DE*ABC*'))).toBe(true);
  const foreign = await find({
    filters: [{ field: 'asset.id', operator: 'startsWith', value: 'FR*XYZ*' }],
  });
  expect(foreign.json.pagination.totalEntries).toBe(0);
});
