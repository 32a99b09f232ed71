import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFleet } from '../../testing/make-fleet.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { exampleUser, userParts } from './user.ts';

type User = {
  mobilityProviderCountryCode: string;
  mobilityProviderCode: string;
  customerId: string;
  firstAddedAt: string;
  updatedAt: string;
  vehicleCount: number;
  vehicles: { vehicleId: string; addedAt: string }[];
};

let service: TestService;
let everyone: User[];

beforeAll(async () => {
  service = await startTestService();
  await makeFleet(service.db, 'DE', 'ABC', 10);
  await makeFleet(service.db, 'FR', 'XYZ', 2);
  everyone = makeUsers('DE*ABC', 23, 10);
  await insertDrivers('DE-ABC', everyone);
  await insertDrivers('FR-XYZ', makeUsers('FR*XYZ', 5, 2));
});
afterAll(() => service.stop());

/** Users of one to four vehicles, of several providers, many of them added at the same moment. */
function makeUsers(prefix: string, count: number, fleet: number): User[] {
  return Array.from({ length: count }, (_, index) => {
    const vehicles = Array.from({ length: 1 + (index % Math.min(4, fleet)) }, (_, nth) => ({
      vehicleId: `${prefix}*T${String(((index + nth) % fleet) * 7).padStart(4, '0')}`,
      addedAt: `2026-0${1 + ((index * 5 + nth * 2) % 9)}-01T00:00:00.123Z`,
    })).sort((a, b) => compare(a.addedAt, b.addedAt) || compare(a.vehicleId, b.vehicleId));
    return {
      mobilityProviderCountryCode: ['DE', 'FR', 'at'][index % 3] ?? '',
      mobilityProviderCode: index % 2 === 0 ? 'MOB' : 'Car',
      customerId: `${String((index * 7) % count).padStart(8, '0')}-0000-4000-8000-00000000000a`,
      firstAddedAt: vehicles[0]?.addedAt ?? '',
      updatedAt: vehicles.at(-1)?.addedAt ?? '',
      vehicleCount: vehicles.length,
      vehicles,
    };
  });
}

async function insertDrivers(provider: string, users: User[]): Promise<void> {
  for (const user of users) {
    for (const { vehicleId, addedAt } of user.vehicles) {
      await service.db.query('insert into drivers values ($1, $2, $3, $4, $5, $6)', [
        provider,
        vehicleId,
        user.mobilityProviderCountryCode,
        user.mobilityProviderCode,
        user.customerId,
        addedAt,
      ]);
    }
  }
}

const compare = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);
const byKey = (a: User, b: User) =>
  compare(a.mobilityProviderCountryCode, b.mobilityProviderCountryCode) ||
  compare(a.mobilityProviderCode, b.mobilityProviderCode) ||
  compare(a.customerId, b.customerId);
const expected = (keepIt: (user: User) => boolean) => everyone.filter(keepIt).sort(byKey);
const find = (body?: unknown) => service.call('POST', '/users', body);

test('no body, an empty body and {} are everyone who drives, with all they drive', async () => {
  for (const body of [undefined, {}]) {
    const { status, json } = await find(body);
    expect(status).toBe(200);
    expect(json.items).toEqual(expected(() => true));
    expect(json.pagination).toEqual({ pageSize: 100, pageNumber: 0, totalEntries: 23 });
  }
});

test('pages hold every user once, under any order', async () => {
  for (const sorting of [[], [{ field: 'vehicleCount', direction: 'desc' }]]) {
    const seen: User[] = [];
    for (let pageNumber = 0; pageNumber < 4; pageNumber++) {
      const { json } = await find({ sorting, pageRequest: { pageNumber, pageSize: 7 } });
      expect(json.pagination).toEqual({ pageNumber, pageSize: 7, totalEntries: 23 });
      seen.push(...json.items);
    }
    expect(seen.sort(byKey)).toEqual(expected(() => true));
  }
});

describe('filters', () => {
  const sample = () => everyone[4] as User;
  const cases: [string, string, () => unknown, (user: User) => boolean][] = [
    ['customerId', 'eq', () => sample().customerId, (user) => user === sample()],
    ['customerId', 'ne', () => sample().customerId, (user) => user !== sample()],
    [
      'mobilityProviderCountryCode',
      'in',
      () => ['AT', 'fr'],
      (user) => user.mobilityProviderCountryCode !== 'DE',
    ],
    ['mobilityProviderCode', 'eq', () => 'car', (user) => user.mobilityProviderCode === 'Car'],
    ['vehicleCount', 'gte', () => 3, (user) => user.vehicleCount >= 3],
    [
      'firstAddedAt',
      'eq',
      () => sample().firstAddedAt,
      (user) => user.firstAddedAt === sample().firstAddedAt,
    ],
    ['updatedAt', 'gte', () => sample().updatedAt, (user) => user.updatedAt >= sample().updatedAt],
    [
      'vehicles.vehicleId',
      'eq',
      () => 'de*abc*t0014',
      (user) => user.vehicles.some(({ vehicleId }) => vehicleId === 'DE*ABC*T0014'),
    ],
    [
      'vehicleId',
      'ne',
      () => 'DE*ABC*T0014',
      (user) => user.vehicles.every(({ vehicleId }) => vehicleId !== 'DE*ABC*T0014'),
    ],
    [
      'vehicles.addedAt',
      'lt',
      () => '2026-03-01T00:00:00Z',
      (user) => user.vehicles.some(({ addedAt }) => addedAt < '2026-03'),
    ],
  ];

  test.each(cases)('%s %s answers exactly', async (field, operator, value, keepIt) => {
    const { json } = await find({ filters: [{ field, operator, value: value() }] });
    expect(json.items).toEqual(expected(keepIt));
    expect(json.items.length).toBeGreaterThan(0);
    expect(json.items.length).toBeLessThan(23);
  });

  test('a user who is found by one vehicle is answered with all of them', async () => {
    const user = everyone.find(({ vehicleCount }) => vehicleCount === 4) as User;
    const { json } = await find({
      filters: [
        { field: 'vehicles.vehicleId', value: user.vehicles[2]?.vehicleId },
        { field: 'customerId', value: user.customerId.toUpperCase() },
      ],
    });
    expect(json.items).toEqual([user]);
  });

  test('what does not fit is 400 and says what does', async () => {
    for (const [body, pointer] of [
      [{ filters: [{ field: 'vehicles', value: 1 }] }, '/filters/0/field'],
      [{ filters: [{ value: 'x' }] }, '/filters/0/field'],
      [
        { filters: [{ field: 'customerId', operator: 'startsWith', value: '7' }] },
        '/filters/0/operator',
      ],
      [{ filters: [{ field: 'customerId', value: '7' }] }, '/filters/0/value'],
      [{ sorting: [{ field: 'vehicles.addedAt' }] }, '/sorting/0/field'],
      [{ searchText: 'x' }, '/searchText'],
      [{ pagination: {}, pageRequest: {} }, '/pageRequest'],
    ] as const) {
      const { status, json } = await find(body);
      expect([status, json.errors[0].pointer]).toEqual([400, pointer]);
    }
  });
});

test('sorting goes by the keys in their order, and then by the customer', async () => {
  const { json } = await find({
    sorting: [{ field: 'mobilityProviderCode' }, { field: 'firstAddedAt', direction: 'desc' }],
  });
  expect(json.items).toEqual(
    [...everyone].sort(
      (a, b) =>
        compare(a.mobilityProviderCode.toLowerCase(), b.mobilityProviderCode.toLowerCase()) ||
        compare(b.firstAddedAt, a.firstAddedAt) ||
        byKey(a, b),
    ),
  );
});

test('another provider’s drivers are never among them', async () => {
  const { json } = await find({
    filters: [{ field: 'vehicleId', operator: 'startsWith', value: 'FR*XYZ*' }],
  });
  expect(json.pagination.totalEntries).toBe(0);
});

test('a user of many vehicles is serialized in parts', () => {
  const [vehicle] = exampleUser.vehicles;
  const user = { ...exampleUser, vehicles: Array.from({ length: 100 }, () => vehicle) } as User;
  const parts = [...userParts(user)];
  expect(parts).toHaveLength(100);
  expect(parts.join()).toBe(JSON.stringify(user));
});
