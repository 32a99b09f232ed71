import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { vehicleTextSql } from './search/text-search.ts';
import type { Vehicle } from './vehicle.ts';
import type { VehicleLine } from './vehicle-line.ts';
import { writeVehicles } from './vehicle-store.ts';

type Texts = Partial<Record<'vin' | 'licensePlate' | 'vendor' | 'model' | 'variant', string>>;

let service: TestService;
const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const others = { id: 'FR-XYZ', countryCode: 'FR', code: 'XYZ' };

const named: Record<string, Texts> = {
  octavia: { vendor: 'Škoda', model: 'Octavia', variant: 'Combi', licensePlate: 'M-XY 77' },
  decomposed: { vendor: 'Škoda'.normalize('NFD'), model: 'Fabia', variant: 'Sélection' },
  berlingo: { vendor: 'Citroën', model: 'Berlingo', licensePlate: 'AB-123-CD' },
  golf: { vendor: 'VW', model: 'Golf', variant: 'R-Line', vin: 'WVWZZZ1KZAP000001' },
  sprinter: { vendor: 'Mercedes-Benz', model: 'Sprinter', licensePlate: 'M-AB 123' },
  spaced: { vendor: 'Opel', model: 'Corsa', vin: 'W0V ZZZ-68Z 8T000042', licensePlate: 'MAB1234' },
  seat: { vendor: 'Seat', model: 'Leon' },
  smart: { vendor: 'smart', model: '#1', variant: 'Straße 50%_\\' },
};
const manyCount = 230;
/** More than the index answers at once. */
const many = Array.from({ length: manyCount }, (_, number): [string, Texts] => [
  `many${String(number).padStart(3, '0')}`,
  { vendor: 'Renault', model: 'Mégane', variant: `${number}` },
]);

beforeAll(async () => {
  service = await startTestService();
  for (const { id, countryCode, code } of [provider, others]) {
    const lines = [...Object.entries(named), ...many].map(
      ([name, information]): VehicleLine => ({
        asset: {
          id: `${countryCode}*${code}*${name}`,
          assetProviderCountryCode: countryCode,
          assetProviderCode: code,
          active: true,
        },
        information,
        status: {},
      }),
    );
    await service.db.transaction((tx) =>
      writeVehicles(quietWriter(tx), { id, countryCode, code }, lines),
    );
  }
});
afterAll(() => service.stop());

async function find(body: object) {
  const all = { pagination: { pageSize: 1_000 } };
  const { status, json } = await service.call('POST', '/vehicles', { ...body, ...all });
  expect(status, JSON.stringify(body)).toBe(200);
  const names = (json.items as Vehicle[]).map(({ asset }) => asset.id.split('*')[2] as string);
  expect(json.pagination.totalEntries).toBe(names.length);
  return names;
}

/** A condition that all meet: another strategy has to find the same. */
const everyVehicle = { field: 'asset.active', value: true };

const words = async (searchText: string) => {
  const request = { searchText, searchMode: 'words' };
  const found = await find(request);
  expect(await find({ ...request, filters: [everyVehicle] })).toEqual(found);
  return found;
};

const literal = async (searchText: string) => {
  const found = await find({ searchText });
  expect(await find({ searchText, searchMode: 'literal', filters: [everyVehicle] })).toEqual(found);
  return found;
};

describe('a literal search', () => {
  test.each(['Škoda', 'škoda', 'ŠKODA', 'Ško', 'Š'])(
    'finds %s in every normal form',
    async (text) => {
      for (const form of ['NFC', 'NFD'])
        expect(await literal(text.normalize(form))).toEqual(['decomposed', 'octavia']);
    },
  );

  test('regards diacritics, spaces and hyphens', async () => {
    for (const text of ['skoda', 'citroen', 'mab123 ', 'vw golf', 'octavia combi'])
      expect(await literal(text)).toEqual([]);
    expect(await literal('ab-123')).toEqual(['berlingo']);
    expect(await literal('50%_\\')).toEqual(['smart']);
    expect(await literal('straße')).toEqual(['smart']);
  });

  test('by a filter without a field, or a field that contains a text, crosses normal forms as well', async () => {
    for (const form of ['NFC', 'NFD']) {
      const value = 'škod'.normalize(form);
      for (const filter of [
        { value },
        { field: 'vendor', operator: 'contains', value },
        { field: 'vendor', operator: 'startsWith', value },
        { field: 'vendor', value: 'Škoda'.normalize(form) },
      ])
        expect(await find({ filters: [filter] })).toEqual(['decomposed', 'octavia']);
    }
  });
});

describe('a search by words', () => {
  test.each([
    ['skoda octavia', ['octavia']],
    ['octavia škoda', ['octavia']],
    ['SKODA', ['decomposed', 'octavia']],
    ['citroen', ['berlingo']],
    ['VW Golf', ['golf']],
    ['vw', ['golf']],
    ['golf vw r-line', ['golf']],
    ['rline', []],
    ['M AB 123', ['spaced', 'sprinter']],
    ['MAB123', ['spaced', 'sprinter']],
    ['m-ab 123', ['spaced', 'sprinter']],
    ['m-ab-1234', ['spaced']],
    ['ab123cd', ['berlingo']],
    ['W0VZZZ68Z8T000042', ['spaced']],
    ['w0v-zzz 68z-8t', ['spaced']],
    ['1kz-ap', ['golf']],
    ['mercedes benz', ['sprinter']],
    ['strasse', ['smart']],
    ['straße', ['smart']],
    ['50%_\\', ['smart']],
    ['#1', ['smart']],
    ['%', ['smart']],
    ['golf skoda', []],
    ['seat - leon', ['seat']],
    ['\u00a0seat\tleon ', ['seat']],
  ])('of %j finds %j', async (text, expected) => {
    for (const form of ['NFC', 'NFD']) expect(await words(text.normalize(form))).toEqual(expected);
  });

  test('finds what many vehicles have, counted', async () => {
    expect(await words('renault megane')).toHaveLength(manyCount);
    expect(await words('megane 22')).toHaveLength(12);
  });

  test('holds for a filter without a field, and an empty text restricts nothing', async () => {
    const filters = [{ value: 'octavia skoda' }];
    expect(await find({ filters, searchMode: 'words' })).toEqual(['octavia']);
    expect(await find({ filters })).toEqual([]);
    for (const text of ['', '  ', '-'])
      expect(await words(text)).toHaveLength(manyCount + Object.keys(named).length);
  });

  test('is its own search, whatever was found literally before', async () => {
    expect(await find({ searchText: 'mégane' })).toHaveLength(manyCount);
    expect(await find({ searchText: 'megane' })).toEqual([]);
    expect(await find({ searchText: 'megane', searchMode: 'words' })).toHaveLength(manyCount);
    expect(await find({ searchText: 'megane' })).toEqual([]);
  });

  test('in another mode is refused with those there are', async () => {
    const { status, json } = await service.call('POST', '/vehicles', { searchMode: 'fuzzy' });
    expect(status).toBe(400);
    expect(json.errors[0]).toMatchObject({ pointer: '/searchMode' });
    expect(json.errors[0].detail).toContain('words');
  });
});

test('any part of any field is found in either mode, by any strategy', async () => {
  const fields = Object.entries(named).flatMap(([name, texts]) =>
    Object.entries(texts).map(([field, text]) => ({ name, field, text })),
  );
  const part = fc
    .record({
      of: fc.constantFrom(...fields),
      from: fc.nat(20),
      length: fc.integer({ min: 1, max: 20 }),
    })
    .map(({ of, from, length }) => {
      const characters = [...of.text];
      const start = from % characters.length;
      return { ...of, part: characters.slice(start, start + length).join('') };
    })
    // A mark without its letter is no part of a text.
    .filter((one) => one.part.trim() !== '' && !/^\p{M}/u.test(one.part));
  const form = fc.constantFrom('NFC', 'NFD');
  const cased = (text: string, upper: boolean) => (upper ? text.toUpperCase() : text);
  await fc.assert(
    fc.asyncProperty(part, form, fc.boolean(), async ({ name, part: text, field }, as, upper) => {
      const searched = cased(text.normalize(as), upper && !text.includes('ß'));
      // The last letter may have a mark that the part leaves out.
      if (
        !(named[name]?.[field as keyof Texts] ?? '')
          .normalize('NFC')
          .includes(text.normalize('NFC'))
      )
        return;
      expect(await literal(searched)).toContain(name);
      expect(await words(searched)).toContain(name);
    }),
    { numRuns: 60 },
  );
});

describe('the order of text', () => {
  const vendors = ['Citroën', 'Mercedes-Benz', 'Opel', 'Seat', 'Škoda', 'smart', 'VW'];

  test('is that of Unicode: Škoda after Seat and before smart', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      const names = await find({
        filters: [{ field: 'vendor', operator: 'ne', value: 'Renault' }],
        sorting: [{ field: 'vendor', direction }],
      });
      const sorted = names.map((name) => named[name]?.vendor?.normalize('NFC'));
      const distinct = sorted.filter((vendor, index) => vendor !== sorted[index - 1]);
      expect(distinct).toEqual(direction === 'asc' ? vendors : vendors.toReversed());
    }
  });

  test('is the one by which filters compare', async () => {
    const found = async (operator: string, value: string) =>
      new Set(
        (await find({ filters: [{ field: 'vendor', operator, value }] })).map((name) =>
          named[name]?.vendor?.normalize('NFC'),
        ),
      );
    expect(await found('gt', 'seat')).toEqual(new Set(['Škoda', 'smart', 'VW']));
    expect(await found('gte', 'ŠKODA')).toEqual(new Set(['Škoda', 'smart', 'VW']));
    expect(await found('gt', 'Škoda'.normalize('NFD'))).toEqual(new Set(['smart', 'VW']));
    expect(await found('lt', 'Opel')).toEqual(new Set(['Citroën', 'Mercedes-Benz']));
  });
});

test('a text is looked up in the index, without reading the vehicles of the provider', async () => {
  for (const [text, mode] of [
    ['ab-123', 'literal'],
    ['skoda octavia', 'words'],
    ['vw r-line', 'words'],
  ] as const) {
    const values: unknown[] = [provider.id];
    const condition = vehicleTextSql(text, mode, (value) => `$${values.push(value)}`);
    const plan = await service.db.queryUnprepared<{ 'QUERY PLAN': string }>(
      `explain select from vehicles v where v.provider = $1 and ${condition}`,
      values,
    );
    const scans = plan.map((line) => line['QUERY PLAN']).filter((line) => line.includes('Scan on'));
    expect(scans.join()).toContain('Bitmap Index Scan on vehicles_by_trigrams');
    expect(scans.join()).not.toContain('vehicles_pkey');
  }
});

test('every index of texts is led by the provider', async () => {
  const indexes = await service.db.query<{ definition: string }>(
    `select pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = 'vehicles'::regclass`,
  );
  expect(indexes.length).toBeGreaterThan(2);
  for (const { definition } of indexes)
    expect(definition).toMatch(/USING (btree \(provider\b|gin \(search_trigrams\(provider,)/);
});
