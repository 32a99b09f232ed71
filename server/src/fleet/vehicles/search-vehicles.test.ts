import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import type { Vehicle } from './vehicle.ts';
import type { VehicleLine } from './vehicle-line.ts';
import { writeVehicles } from './vehicle-store.ts';

/** Two processes of the service on one database, which search and write in turns. */
let services: [TestService, TestService];
const codes = { assetProviderCountryCode: 'DE', assetProviderCode: 'ABC' };
const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const others = { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' };
const vendors = ['VW', 'BMW', 'Tesla'];

type Known = { vendor: string; model: string; odometer?: number };
const fleet = new Map<string, Known>();

beforeAll(async () => {
  const first = await startTestService();
  services = [first, await startTestService({ database: first.database, publicUrl: first.url })];
  for (let number = 0; number < 320; number++) {
    fleet.set(idOf(number), {
      vendor: vendors[number % 3] ?? '',
      // More than an index answers at once, fewer than all.
      model: number < 250 ? 'Golf' : `Model ${number}`,
      ...(number % 7 > 0 && { odometer: (number * 37) % 500 }),
    });
  }
  const lines = [...fleet].map(([id, known]) => lineOf(id, known));
  await first.db.transaction((tx) => writeVehicles(quietWriter(tx), provider, lines));
  const theirs = lines.map((line): VehicleLine => {
    const id = line.asset.id.replace('DE*ABC', 'FR*XYZ');
    return { ...line, asset: { ...line.asset, id } };
  });
  await first.db.transaction((tx) => writeVehicles(quietWriter(tx), others, theirs));
});
afterAll(async () => {
  await services[1].stop();
  await services[0].stop();
});

const idOf = (number: number) => `DE*ABC*${String(number).padStart(4, '0')}`;

function lineOf(id: string, { vendor, model, odometer }: Known): VehicleLine {
  const status = odometer === undefined ? {} : { odometer };
  return { asset: { id, ...codes, active: true }, information: { vendor, model }, status };
}

type Search = {
  searchText?: string;
  filters?: { field: string; value: unknown }[];
  sorting?: { field: string; direction?: 'asc' | 'desc' }[];
  pagination: { pageNumber: number; pageSize: number };
};

/** What the search has to answer, from what was written. */
function expected({ searchText = '', filters = [], sorting = [], pagination }: Search) {
  const text = searchText.toLowerCase();
  const valueIn = ([id, known]: [string, Known], field: string): string | number | undefined =>
    field === 'asset.id' ? id : known[field.split('.')[1] as keyof Known];
  const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);
  const found = [...fleet]
    .filter(([, { vendor, model }]) =>
      [vendor, model].some((one) => one.toLowerCase().includes(text)),
    )
    .filter((one) =>
      filters.every(({ field, value }) => lower(valueIn(one, field)) === lower(value)),
    )
    .sort((a, b) => {
      for (const { field, direction } of sorting) {
        const [x, y] = [lower(valueIn(a, field)), lower(valueIn(b, field))] as [never, never];
        if (x === y) continue;
        if (x === undefined || y === undefined) return x === undefined ? 1 : -1;
        return x < y === (direction !== 'desc') ? -1 : 1;
      }
      return a[0] < b[0] ? -1 : 1;
    });
  const start = pagination.pageNumber * pagination.pageSize;
  const ids = found.slice(start, start + pagination.pageSize).map(([id]) => id);
  return { ids, total: found.length };
}

async function find(service: TestService, search: Search) {
  const { status, json } = await service.call('POST', '/vehicles', search);
  expect(status).toBe(200);
  const items = json.items as Vehicle[];
  return { ids: items.map(({ asset }) => asset.id), total: json.pagination.totalEntries };
}

const searches: fc.Arbitrary<Search> = fc.record(
  {
    searchText: fc.constantFrom('golf', 'GOLF', 'l 3', 'model 251', 'go', 'W\nG', 'nowhere', ''),
    filters: fc.constantFrom(
      [],
      [{ field: 'information.vendor', value: 'bmw' }],
      [{ field: 'status.odometer', value: 37 }],
    ),
    sorting: fc.constantFrom(
      [],
      [{ field: 'status.odometer' }],
      [{ field: 'status.odometer', direction: 'desc' as const }],
      [{ field: 'information.vendor', direction: 'desc' as const }, { field: 'status.odometer' }],
    ),
    pagination: fc.record({
      pageNumber: fc.constantFrom(0, 0, 0, 1, 12, 40),
      pageSize: fc.constantFrom(10, 25, 1_000),
    }),
  },
  { requiredKeys: ['pagination'] },
);

const vehicle = fc.integer({ min: 0, max: 330 }).map(idOf);
type Change =
  | { id: string; vendor: string; model: string }
  | { id: string; odometer: number }
  | { id: string; deleted: boolean };
const write: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    id: vehicle,
    vendor: fc.constantFrom(...vendors),
    model: fc.constantFrom('Golf', 'Polo'),
  }),
  fc.record({ id: vehicle, odometer: fc.integer({ min: 0, max: 500 }) }),
  fc.record({ id: vehicle, deleted: fc.constant(true) }),
);

let moment = Date.now() - 3_600_000;

async function apply(service: TestService, change: Change): Promise<void> {
  const known = fleet.get(change.id);
  if ('deleted' in change) {
    const { status } = await service.call('DELETE', `/${change.id}`);
    expect(status).toBe(known ? 204 : 404);
    fleet.delete(change.id);
  } else if ('odometer' in change) {
    // One that falls is in doubt until a second agrees.
    for (let reading = 0; reading < 2; reading++) {
      moment += 1_000;
      const message = { timestamp: new Date(moment).toISOString(), odometer: change.odometer };
      const { status } = await service.call('PUT', `/${change.id}/status`, message);
      expect(status).toBe(known ? 200 : 404);
    }
    if (known) known.odometer = change.odometer;
  } else {
    const { id, ...information } = change;
    const { status } = await service.call('PUT', `/${id}`, { information });
    expect(status).toBe(known ? 200 : 201);
    fleet.set(id, { ...known, ...information });
  }
}

test('whatever is written by one process, every process finds it, counted and in order', async () => {
  const side = fc.constantFrom(0 as const, 1 as const);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ side, search: searches }) },
    { weight: 1, arbitrary: fc.record({ side, change: write }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
      for (const one of steps) {
        const service = services[one.side];
        if ('change' in one) await apply(service, one.change);
        else expect(await find(service, one.search)).toEqual(expected(one.search));
      }
    }),
    { numRuns: 8, endOnFailure: true },
  );
});

test('while one process writes, the other never answers less than was acknowledged', async () => {
  const search: Search = { searchText: 'Wartburg', pagination: { pageNumber: 0, pageSize: 10 } };
  const many = Array.from({ length: 220 }, (_, number) =>
    lineOf(`DE*ABC*w${number}`, { vendor: 'Wartburg', model: '353' }),
  );
  await services[0].db.transaction((tx) => writeVehicles(quietWriter(tx), provider, many));
  let begun = many.length;
  let acknowledged = many.length;
  const writing = (async () => {
    for (let number = 0; number < 60; number++) {
      begun += 1;
      const body = { information: { vendor: 'Wartburg' } };
      const { status } = await services[0].call('PUT', `/DE*ABC*v${number}`, body);
      expect(status).toBe(201);
      acknowledged += 1;
    }
  })();
  let isDone = false;
  void writing.finally(() => {
    isDone = true;
  });
  const reader = async () => {
    while (!isDone) {
      const least = acknowledged;
      const { total } = await find(services[1], search);
      expect(total).toBeGreaterThanOrEqual(least);
      expect(total).toBeLessThanOrEqual(begun);
    }
  };
  await Promise.all([writing, ...Array.from({ length: 6 }, reader)]);
  expect((await find(services[1], search)).total).toBe(acknowledged);
});
