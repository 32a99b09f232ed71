import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Field, fieldsOf } from '../../platform/search/field.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { damagePositions } from './damage-position.ts';
import type { Incident } from './incident.ts';
import { incidentFields } from './incident-fields.ts';

type FleetIncident = Incident & { vehicleId: string; licensePlate?: string };

let service: TestService;
let all: FleetIncident[];
/** When each last changed, which no response contains. */
let updates: Map<string, string>;
const count = 60;

beforeAll(async () => {
  service = await startTestService();
  const fleet = await makeFleet(service.db, 'DE', 'ABC', 4);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
  for (let index = 0; index < count; index++) {
    const vehicleId = fleet[index % fleet.length]?.asset.id ?? '';
    const path = `/${vehicleId}/incidents`;
    const { json } = await service.call('POST', path, makeRequest(index));
    // Pairs of equal times, not in the order of creation.
    const reported = new Date(Date.UTC(2026, 0, 1, ((index * 7) % count) >> 1)).toISOString();
    await service.db.query(
      'update incidents set report_timestamp = $2, ocr_status = $3 where id = $1',
      [json.id, reported, index % 4 === 0 ? 'MANUAL' : 'NOT_STARTED'],
    );
    if (index % 5 === 0) {
      await service.db.query(
        `insert into blobs (provider, vehicle_id, owner, entry_id, filename, content_type, created_at)
         values ('DE-ABC', $1, 'incidents', $2, $3, 'image/jpeg', now())`,
        [vehicleId, json.id, `Door ${index}.jpg`],
      );
    }
  }
  await service.send({
    method: 'POST',
    path: '/api/fleets/v1/FR/XYZ/FR*XYZ*T0000/incidents',
    headers: {
      authorization: `Bearer ${await service.token('FR-XYZ')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(makeRequest(0)),
  });
  all = [];
  for (const { asset, information } of fleet) {
    const { json } = await service.call('GET', `/${asset.id}/incidents?pageSize=1000`);
    const { licensePlate } = information;
    const ofVehicle = { vehicleId: asset.id, ...(licensePlate && { licensePlate }) };
    all.push(...json.items.map((incident: Incident) => ({ ...ofVehicle, ...incident })));
  }
  all.sort(newestFirst);
  const rows = await service.db.query<{ id: string; updated_at: string }>(
    'select id, updated_at from incidents',
  );
  updates = new Map(rows.map((row) => [row.id, row.updated_at]));
});
afterAll(() => service.stop());

/** Every field is set on some and missing on others; times and texts repeat. */
function makeRequest(index: number): object {
  const some = (every: number, value: unknown) => (index % every === 0 ? undefined : value);
  return {
    title: ['Hail', 'hail storm', 'Parked 100% badly', 'Deer_crossing'][index % 4],
    customer: some(3, {
      mobilityProviderCountryCode: index % 2 ? 'DE' : 'FR',
      mobilityProviderCode: index % 2 ? 'MOB' : 'CAR',
      customerId: `7c9e6679-7425-40de-944b-${String(index % 9).padStart(12, '0')}`,
    }),
    vehicleOperable: index % 3 === 0,
    incidentTimestamp: some(4, `2026-01-0${1 + (index % 9)}T12:00:00.500+01:00`),
    location: some(5, `Körnerstr. ${index % 8}`),
    incidentType: some(6, ['Weather', 'parking'][index % 2]),
    cause: some(7, `Cause \\ ${index % 6}`),
    notes: some(8, `Note ${index % 5}`),
    description: some(9, `Long story ${index % 4}`),
    isResolved: index % 5 === 0,
    damages: some(
      4,
      Array.from({ length: 1 + (index % 3) }, (_, nth) => ({
        title: `Dent number ${nth}`,
        damageType: ['dent', 'Scratch'][(index + nth) % 2],
        severity: ['light', 'moderate', 'high'][(index * 2 + nth) % 3],
        repaired: (index + nth) % 4 === 0,
        position: damagePositions[(index * 3 + nth) % 20],
      })),
    ),
  };
}

const byId = (a: FleetIncident, b: FleetIncident) => (a.id < b.id ? -1 : 1);
const newestFirst = (a: FleetIncident, b: FleetIncident) =>
  a.reportTimestamp === b.reportTimestamp
    ? byId(a, b)
    : a.reportTimestamp > b.reportTimestamp
      ? -1
      : 1;

async function find(body?: object) {
  const answer = await service.call('POST', '/incidents', body);
  return { ...answer, items: (answer.json.items ?? []) as FleetIncident[] };
}
const everything = { pagination: { pageSize: 1_000 } };

/** The values at a path: none, one, or one of each damage or file. */
function valuesAt(incident: FleetIncident, path: string): unknown[] {
  return path
    .split('.')
    .reduce<unknown[]>(
      (at, name) =>
        at.flatMap((one) => (one as Record<string, unknown>)[name]).filter((v) => v !== undefined),
      [{ ...incident, updatedAt: updates.get(incident.id) }],
    );
}
const fold = (value: unknown) =>
  (typeof value === 'string' ? value.toLowerCase() : value) as string | number;

describe('page', () => {
  test('no body, {} and the first page are the newest reports, each with its vehicle', async () => {
    for (const body of [undefined, {}, everything]) {
      const { status, items, json } = await find(body);
      expect(status).toBe(200);
      expect(items).toEqual(all);
      expect(json.pagination.totalEntries).toBe(count);
    }
  });

  test('pages of any order hold every incident once', async () => {
    for (const sorting of [undefined, [{ field: 'title' }], [{ field: 'incidentTimestamp' }]]) {
      const seen: string[] = [];
      for (let pageNumber = 0; pageNumber < 9; pageNumber++) {
        const { items, json } = await find({ sorting, pageRequest: { pageNumber, pageSize: 7 } });
        expect(json.pagination).toEqual({ pageNumber, pageSize: 7, totalEntries: count });
        seen.push(...items.map(({ id }) => id));
      }
      expect([...seen].sort()).toEqual(all.map(({ id }) => id).sort());
    }
  });
});

describe('searchText', () => {
  const textPaths = [
    'title',
    'location',
    'incidentType',
    'cause',
    'notes',
    'description',
    'damages.title',
    'licensePlate',
  ];
  test.each([
    ['HAIL', 'title'],
    ['kÖRNERstr. 3', 'location'],
    ['weather', 'incidentType'],
    ['Cause \\ 3', 'cause'],
    ['note 2', 'notes'],
    ['STORY 1', 'description'],
    ['dent NUMBER 2', 'damages.title'],
    ['100%', 'title'],
    ['r_c', 'title'],
    ['number 0Dent', 'nothing'],
    ['nothing at all', 'nothing'],
  ])('%j is found in %s', async (searchText, path) => {
    const expected = all.filter((incident) =>
      textPaths.some((one) =>
        valuesAt(incident, one).some((text) =>
          String(fold(text)).includes(String(fold(searchText))),
        ),
      ),
    );
    if (path !== 'nothing') expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(count);
    expect((await find({ searchText, ...everything })).items).toEqual(expected);
    const filters = [{ value: searchText }];
    expect((await find({ filters, ...everything })).items).toEqual(expected);
  });

  test('a plate is also found without its spaces and hyphens', async () => {
    const { licensePlate = '' } = all.find((one) => one.licensePlate !== undefined) ?? {};
    const searchText = licensePlate.replaceAll(/[ -]/g, '').toLowerCase();
    expect(searchText).not.toBe(licensePlate.toLowerCase());
    expect((await find({ searchText, ...everything })).items).toEqual(
      all.filter((one) => one.licensePlate === licensePlate),
    );
  });
});

const fields: Pick<Field, 'path' | 'type' | 'values' | 'anyOf'>[] = [
  { path: 'vehicleId', type: 'text' },
  { path: 'licensePlate', type: 'text' },
  ...fieldsOf(incidentFields),
];

describe('filters', () => {
  test('there is a field for everything that an incident holds', () => {
    const paths = new Set(
      all.flatMap((incident) =>
        Object.entries(incident).flatMap(([name, value]) => [
          name,
          ...[value]
            .flat()
            .filter((one) => typeof one === 'object')
            .flatMap((one) => Object.keys(one).map((inner) => `${name}.${inner}`)),
        ]),
      ),
    );
    expect(fields.map(({ path }) => path).sort()).toEqual([...paths, 'updatedAt'].sort());
  });

  test.each(fields)('$path takes every operator of its type and answers exactly', async (field) => {
    const { path, type, values: words } = field;
    const values = all.flatMap((incident) => valuesAt(incident, path));
    const sample = values[Math.floor(values.length / 2)];
    expect(sample).toBeDefined();
    const is = (...sought: unknown[]) => {
      const folded = sought.map(fold);
      return (value: unknown) => folded.includes(fold(value));
    };
    type Keep = (values: unknown[]) => boolean;
    const any =
      (test: (value: unknown) => boolean): Keep =>
      (some) =>
        some.some(test);
    const none =
      (test: (value: unknown) => boolean): Keep =>
      (some) =>
        !some.some(test);
    const cases: [string, unknown, Keep][] = [
      ['exists', true, (some) => some.length > 0],
      ['exists', false, (some) => some.length === 0],
    ];
    if (type !== 'object') {
      cases.push(
        ['eq', sample, any(is(sample))],
        ['ne', sample, none(is(sample))],
        ['in', [sample, values[0]], any(is(sample, values[0]))],
        ['notIn', [sample], none(is(sample))],
        ['in', [], () => false],
        ['notIn', [], () => true],
      );
    }
    if (['text', 'date-time'].includes(type) && !words) {
      cases.push(
        ['lt', sample, any((value) => fold(value) < fold(sample))],
        ['gte', sample, any((value) => fold(value) >= fold(sample))],
      );
    }
    if (type === 'text') {
      const part = String(sample).slice(0, 4).toUpperCase();
      const text = (value: unknown) => String(value).toUpperCase();
      cases.push(
        ['contains', part, any((value) => text(value).includes(part))],
        ['startsWith', part, any((value) => text(value).startsWith(part))],
        ['eq', String(sample).toUpperCase(), any(is(sample))],
      );
    }
    for (const [operator, value, keep] of cases) {
      const { items, json } = await find({
        filters: [{ field: path, operator, value }],
        ...everything,
      });
      const what = `${operator} ${JSON.stringify(value)}`;
      expect(items, what).toEqual(all.filter((incident) => keep(valuesAt(incident, path))));
      expect(json.pagination.totalEntries, what).toBe(items.length);
    }
  });

  test('all of them must hold, and two can be met by two damages', async () => {
    const { items } = await find({
      filters: [
        { field: 'damageType', value: 'DENT' },
        { field: 'damages.repaired', value: true },
        { field: 'isResolved', value: false },
      ],
      ...everything,
    });
    expect(items).toEqual(
      all.filter(
        ({ damages = [], isResolved }) =>
          !isResolved &&
          damages.some(({ damageType }) => damageType === 'dent') &&
          damages.some(({ repaired }) => repaired),
      ),
    );
    expect(items.length).toBeGreaterThan(0);
  });

  test('what does not fit is 400 and says what does', async () => {
    for (const [filter, pointer, detail] of [
      [{ field: 'speed', value: 1 }, '/filters/0/field', 'damages.position'],
      [{ field: 'damages.repaired', value: 'no' }, '/filters/0/value', 'true or false'],
      [{ field: 'damages', value: [] }, '/filters/0/operator', 'exists'],
      [{ field: 'customer', value: 'somebody' }, '/filters/0/operator', 'exists'],
      [{ field: 'reportTimestamp', value: '2026-01-01' }, '/filters/0/value', 'offset'],
      [{ field: 'reportTimestamp', value: '2026-01-01T25:00:00Z' }, '/filters/0/value', 'offset'],
      [{ field: 'possibleDuplicateOf', value: 1 }, '/filters/0/field', 'damages'],
    ] as const) {
      const { status, json } = await find({ filters: [filter] });
      expect(status, JSON.stringify(filter)).toBe(400);
      expect(json.errors[0].pointer).toBe(pointer);
      expect(json.errors[0].detail).toContain(detail);
    }
  });
});

describe('sorting', () => {
  const sortable = fields.filter(({ type, anyOf }) => type !== 'object' && anyOf === undefined);

  test.each(sortable)(
    'by $path in both directions, missing last, the id between equals',
    async ({ path }) => {
      for (const sign of [1, -1]) {
        const key = (incident: FleetIncident) => fold(valuesAt(incident, path)[0]);
        const sorted = [...all].sort((a, b) => {
          const [left, right] = [key(a), key(b)];
          if (left === right) return byId(a, b);
          if (left === undefined) return 1;
          if (right === undefined) return -1;
          return left < right ? -sign : sign;
        });
        const sorting = [{ field: path, direction: sign === 1 ? 'asc' : 'desc' }];
        expect((await find({ sorting, ...everything })).items).toEqual(sorted);
      }
    },
  );

  test('a field of damages or files is refused', async () => {
    for (const field of ['damages.severity', 'severity', 'damages', 'blobs.filename', 'customer']) {
      expect((await find({ sorting: [{ field }] })).status, field).toBe(400);
    }
  });
});

test('words of a list have no order, and one that is not in it is 400 with the list', async () => {
  for (const [filter, allowed] of [
    [{ field: 'damages.severity', operator: 'gt', value: 'light' }, 'eq, ne, in, notIn'],
    [{ field: 'damages.severity', value: 'awful' }, 'light, moderate, high'],
    [{ field: 'ocrStatus', operator: 'in', value: ['MANUAL', 'DONE'] }, 'NOT_STARTED, MANUAL'],
  ] as const) {
    const { status, json } = await service.call('POST', '/incidents', { filters: [filter] });
    expect(status).toBe(400);
    expect(json.detail).toContain(allowed);
  }
});
