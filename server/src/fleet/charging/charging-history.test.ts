import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { chargingFields } from './charging-fields.ts';
import type { ChargingSession, ReadChargingSession } from './charging-session.ts';

let service: TestService;
let sessions: ChargingSession[];
/** The same with what the history leaves out, by their ids. */
const whole = new Map<string, ReadChargingSession>();
const vehicle = 'DE*ABC*T0000';
const neighbour = 'DE*ABC*T0007';

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 3);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
  for (let index = 0; index < 48; index++) {
    const { status, json } = await service.call(
      'PUT',
      `/${vehicle}/charging/${['CDR', 'cdr', 'Card'][index % 3]}-${index}`,
      makeRequest(index),
    );
    expect(status).toBe(201);
    whole.set(json.id, json);
  }
  await service.call('PUT', `/${neighbour}/charging/elsewhere`, makeRequest(1));
  sessions = (await history({ pagination: { pageSize: 1_000 } })).items;
  expect(sessions).toHaveLength(48);
});
afterAll(() => service.stop());

/** Every field set on some and missing on others, and many equal values. */
function makeRequest(index: number) {
  const some = <Value>(every: number, value: Value) => (index % every === 0 ? undefined : value);
  const at = (hour: number) =>
    `2026-0${1 + (index % 9)}-1${index % 4}T${hour}:00:00.00${index % 3}Z`;
  return {
    fromDatetime: at(10),
    toDatetime: some(6, at(11 + (index % 5))),
    fromSoC: some(4, index % 10),
    toSoC: some(5, 20.5 + (index % 7)),
    location: some(3, { latitude: 50 + (index % 5), longitude: -10.25 + (index % 4) }),
    chargedKWh: some(7, (index * 1.5) % 12),
    energyBasis: some(2, index % 3 === 0 ? 'estimated' : 'measured'),
  };
}

async function history(body?: unknown, of = vehicle) {
  const answer = await service.call('POST', `/${of}/charging`, body);
  const items = (answer.json.items ?? []) as ChargingSession[];
  return { ...answer, items, ids: idsOf(items) };
}
const idsOf = (some: readonly ChargingSession[]) => some.map(({ id }) => id);
const everything = { pagination: { pageSize: 1_000 } };

function valueAt(session: ChargingSession, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, name) => (at as Record<string, unknown> | undefined)?.[name],
      whole.get(session.id),
    );
}
const fold = (value: unknown) =>
  (typeof value === 'string' ? value.toLowerCase() : value) as string | number;

test.each([
  { fromDatetime: '0001-01-02T00:00:00.000Z' },
  { fromDatetime: '1969-12-31T23:59:59.999Z', toDatetime: '1970-01-01T00:00:00.001Z' },
  {
    fromDatetime: '2024-02-29T12:30:00.120Z',
    location: { latitude: -0.0000001, longitude: 179.99999999999997 },
    fromSoC: 0,
    toSoC: 0.30000000000000004,
    chargedKWh: 1.5e300,
  },
])('the history returns a session as its record does: %j', async (request) => {
  const other = 'DE*ABC*T0014';
  const path = `/${other}/charging/a.B_c:d-1`;
  const recorded = await service.call('PUT', path, request);
  expect(recorded.json).toMatchObject(request);
  expect((await service.call('GET', path)).json).toEqual(recorded.json);
  const { energyBasis, source, updatedAt, ...item } = recorded.json;
  expect([energyBasis, source]).toEqual(['measured', 'recorded']);
  expect(updatedAt).toMatch(/Z$/);
  expect((await history({}, other)).items).toEqual([item]);
  await service.call('DELETE', path);
});

describe('page', () => {
  test('the newest comes first, with no body as with an empty one', async () => {
    const sorted = sessions.toSorted((a, b) => {
      if (a.fromDatetime === b.fromDatetime) return a.id < b.id ? -1 : 1;
      return a.fromDatetime < b.fromDatetime ? 1 : -1;
    });
    for (const body of [undefined, {}]) {
      const { status, ids, json } = await history(body);
      expect(status).toBe(200);
      expect(ids).toEqual(idsOf(sorted));
      expect(json.pagination).toEqual({ pageNumber: 0, pageSize: 100, totalEntries: 48 });
    }
  });

  test('pages of any size, under any order, hold every session once', async () => {
    for (const sorting of [
      [],
      [{ field: 'energyBasis' }],
      [{ field: 'toSoC', direction: 'desc' }],
    ]) {
      const seen: string[] = [];
      for (let pageNumber = 0; pageNumber < 6; pageNumber++) {
        const { ids, json } = await history({ sorting, pageRequest: { pageNumber, pageSize: 9 } });
        expect(json.pagination).toEqual({ pageNumber, pageSize: 9, totalEntries: 48 });
        seen.push(...ids);
      }
      expect(seen.toSorted()).toEqual(idsOf(sessions).toSorted());
    }
  });

  test('a session that runs is returned, without an end', () => {
    const running = sessions.filter(({ toDatetime }) => toDatetime === undefined);
    expect(running).toHaveLength(8);
  });

  test('another vehicle’s sessions are not among them; one without any has an empty page, and no vehicle none', async () => {
    expect((await history(undefined, neighbour)).ids).toEqual(['elsewhere']);
    const empty = await history(undefined, 'DE*ABC*T0014');
    expect([empty.status, empty.json]).toEqual([
      200,
      { items: [], pagination: { pageNumber: 0, pageSize: 100, totalEntries: 0 } },
    ]);
    for (const missing of ['DE*ABC*nowhere', 'FR*XYZ*T0000']) {
      expect((await history(undefined, missing)).status).toBe(404);
    }
  });
});

describe('filters', () => {
  test.each(chargingFields.filter(({ type }) => type !== 'object'))(
    '$path takes every operator of its type and answers exactly',
    async ({ path, type, values: words }) => {
      const values = sessions
        .map((session) => valueAt(session, path))
        .filter((one) => one !== undefined);
      const sample = values[Math.floor(values.length / 2)];
      expect(sample).toBeDefined();
      const is = (value: unknown) => value !== undefined && fold(value) === fold(sample);
      const known = (keep: (value: string | number) => boolean) => (value: unknown) =>
        value !== undefined && keep(fold(value));
      type Case = [string, unknown, (value: unknown) => boolean];
      const cases: Case[] = [
        ['eq', sample, is],
        ['ne', sample, (value) => !is(value)],
        [
          'in',
          [sample, values[0]],
          (value) => is(value) || (value !== undefined && fold(value) === fold(values[0])),
        ],
        ['notIn', [sample], (value) => !is(value)],
        ['exists', true, (value) => value !== undefined],
        ['exists', false, (value) => value === undefined],
      ];
      if (!words) {
        cases.push(
          ['lt', sample, known((value) => value < fold(sample))],
          ['lte', sample, known((value) => value <= fold(sample))],
          ['gt', sample, known((value) => value > fold(sample))],
          ['gte', sample, known((value) => value >= fold(sample))],
        );
      }
      if (type === 'text') {
        const part = String(sample).slice(0, 3).toUpperCase();
        cases.push(
          ['contains', part, known((value) => String(value).includes(part.toLowerCase()))],
          ['startsWith', part, known((value) => String(value).startsWith(part.toLowerCase()))],
        );
      }
      for (const [operator, value, keep] of cases) {
        const { ids, json } = await history({
          filters: [{ field: path, operator, value }],
          ...everything,
        });
        const expected = sessions.filter((session) => keep(valueAt(session, path)));
        expect(ids, `${operator} ${JSON.stringify(value)}`).toEqual(idsOf(expected));
        expect(json.pagination.totalEntries).toBe(ids.length);
      }
    },
  );

  test('a location exists or does not', async () => {
    for (const value of [true, false]) {
      const { ids } = await history({
        filters: [{ field: 'location', operator: 'exists', value }],
        ...everything,
      });
      expect(ids).toEqual(
        idsOf(sessions.filter(({ location }) => (location !== undefined) === value)),
      );
      expect(ids.length).toBeGreaterThan(0);
    }
  });

  test('two on one field select a period', async () => {
    const [from, to] = ['2026-03-01T00:00:00Z', '2026-05-01T00:00:00Z'];
    const { ids } = await history({
      filters: [
        { field: 'fromDatetime', operator: 'gte', value: from },
        { field: 'fromDatetime', operator: 'lt', value: to },
      ],
      ...everything,
    });
    expect(ids).toEqual(idsOf(sessions.filter(({ fromDatetime: at }) => at >= from && at < to)));
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.length).toBeLessThan(48);
  });

  test('what does not fit is 400 and says what does, before anything is looked for', async () => {
    for (const [body, pointer, detail] of [
      [{ filters: [{ field: 'price', value: 1 }] }, '/filters/0/field', 'chargedKWh'],
      [{ filters: [{ value: 'x' }] }, '/filters/0/field', 'required'],
      [{ filters: [{ field: 'fromSoC', value: '1' }] }, '/filters/0/value', 'a finite number'],
      [
        { filters: [{ field: 'energyBasis', value: 'guessed' }] },
        '/filters/0/value',
        'measured, estimated',
      ],
      [{ filters: [{ field: 'location', value: 'here' }] }, '/filters/0/operator', 'exists'],
      [
        { filters: [{ field: 'toDatetime', value: '2026-02-29T00:00:00Z' }] },
        '/filters/0/value',
        'date and time',
      ],
      [{ sorting: [{ field: 'location' }] }, '/sorting/0/field', 'location.latitude'],
      [{ pagination: { pageSize: 0 } }, '/pagination/pageSize', 'from 1 to 1000'],
      [{ pagination: {}, pageRequest: {} }, '/pageRequest', 'two names'],
      [{ searchText: 'x' }, '/searchText', 'known are filters'],
    ] as const) {
      for (const of of [vehicle, 'DE*ABC*nowhere']) {
        const { status, json } = await history(body, of);
        expect(status).toBe(400);
        expect(json.errors).toEqual([{ pointer, detail: expect.stringContaining(detail) }]);
      }
    }
  });
});

test('sorting by any field puts missing values last, and the id decides', async () => {
  for (const { path } of chargingFields.filter(({ type }) => type !== 'object')) {
    for (const direction of ['asc', 'desc']) {
      const { items } = await history({ sorting: [{ field: path, direction }], ...everything });
      const sign = direction === 'asc' ? 1 : -1;
      const sorted = sessions.toSorted((a, b) => {
        const [left, right] = [valueAt(a, path), valueAt(b, path)].map(fold);
        if (left === right) return a.id < b.id ? -1 : 1;
        if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
        return left < right ? -sign : sign;
      });
      expect(idsOf(items), `${path} ${direction}`).toEqual(idsOf(sorted));
    }
  }
});
