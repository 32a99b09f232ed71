import fc from 'fast-check';
import { expect } from 'vitest';
import type { Vehicle } from '../fleet/vehicles/vehicle.ts';
import type { VehicleLine } from '../fleet/vehicles/vehicle-line.ts';
import { writeVehicles } from '../fleet/vehicles/vehicle-store.ts';
import type { Database } from '../platform/db/database.ts';
import type { Answer } from './http-client.ts';
import { quietWriter } from './no-subscribers.ts';

/** An operation of DE-ABC, through one of the processes. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

const codes = { assetProviderCountryCode: 'DE', assetProviderCode: 'ABC' };
export const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const others = { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' };
const vendors = ['VW', 'BMW', 'Tesla'];

type Known = { vendor: string; model: string; odometer?: number };

const idOf = (number: number) => `DE*ABC*${String(number).padStart(4, '0')}`;

export function lineOf(id: string, { vendor, model, odometer }: Known): VehicleLine {
  const status = odometer === undefined ? {} : { odometer };
  return { asset: { id, ...codes, active: true }, information: { vendor, model }, status };
}

export type Search = {
  searchText?: string;
  filters?: { field: string; value: unknown }[];
  sorting?: { field: string; direction?: 'asc' | 'desc' }[];
  pagination: { pageNumber: number; pageSize: number };
};

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

/** A fleet whose searches are known, for the property that whatever is written is found. */
export function createSearchModel() {
  const fleet = new Map<string, Known>();
  let moment = Date.now() - 3_600_000;

  async function seed(db: Database): Promise<void> {
    for (let number = 0; number < 320; number++) {
      fleet.set(idOf(number), {
        vendor: vendors[number % 3] ?? '',
        // More than an index answers at once, fewer than all.
        model: number < 250 ? 'Golf' : `Model ${number}`,
        ...(number % 7 > 0 && { odometer: (number * 37) % 500 }),
      });
    }
    const lines = [...fleet].map(([id, known]) => lineOf(id, known));
    await db.transaction((tx) => writeVehicles(quietWriter(tx), provider, lines));
    const theirs = lines.map((line): VehicleLine => {
      const id = line.asset.id.replace('DE*ABC', 'FR*XYZ');
      return { ...line, asset: { ...line.asset, id } };
    });
    await db.transaction((tx) => writeVehicles(quietWriter(tx), others, theirs));
  }

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

  async function apply(call: Call, change: Change): Promise<void> {
    const known = fleet.get(change.id);
    if ('deleted' in change) {
      const { status } = await call('DELETE', `/${change.id}`);
      expect(status).toBe(known ? 204 : 404);
      fleet.delete(change.id);
    } else if ('odometer' in change) {
      // One that falls is in doubt until a second agrees.
      for (let reading = 0; reading < 2; reading++) {
        moment += 1_000;
        const message = { timestamp: new Date(moment).toISOString(), odometer: change.odometer };
        const { status } = await call('PUT', `/${change.id}/status`, message);
        expect(status).toBe(known ? 200 : 404);
      }
      if (known) known.odometer = change.odometer;
    } else {
      const { id, ...information } = change;
      const { status } = await call('PUT', `/${id}`, { information });
      expect(status).toBe(known ? 200 : 201);
      fleet.set(id, { ...known, ...information });
    }
  }

  return {
    seed,
    /** Searches and writes in turns through the given callers, in any order. */
    check: (calls: readonly Call[]) => {
      const caller = fc.constantFrom(...calls);
      const step = fc.oneof(
        { weight: 3, arbitrary: fc.record({ caller, search: searches }) },
        { weight: 1, arbitrary: fc.record({ caller, change: write }) },
      );
      return fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
          for (const one of steps) {
            if ('change' in one) await apply(one.caller, one.change);
            else expect(await findVehicles(one.caller, one.search)).toEqual(expected(one.search));
          }
        }),
        { numRuns: 8, endOnFailure: true },
      );
    },
  };
}

export async function findVehicles(call: Call, search: Search) {
  const { status, json } = await call('POST', '/vehicles', search);
  expect(status).toBe(200);
  const items = json.items as Vehicle[];
  return { ids: items.map(({ asset }) => asset.id), total: json.pagination.totalEntries };
}
