import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { quietWriter } from '../../testing/no-subscribers.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { defaultImageOf } from './drawings/default-image.ts';
import { vehicleFields, vehicleValueFields } from './vehicle-fields.ts';
import { storedItem } from './vehicle-item.ts';
import type { VehicleLine } from './vehicle-line.ts';
import { readVehicle, writeVehicle, writeVehicles } from './vehicle-store.ts';

let service: TestService;
const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.db.query('delete from vehicles');
});

const text = fc.oneof(
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 20 })
    .map((any) => any.replaceAll('\0', '0')),
  fc.constantFrom('"', '\\', "'", 'Škoda Citroën ß', 'two\nlines\r\n\t', '}\u0001{', '$1 %s', '🚗'),
);
const number = fc.oneof(
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((any) => any + 0),
  fc.constantFrom(
    0,
    2.3e-308,
    1.7976931348623157e308,
    0.1 + 0.2,
    1e15,
    1e21,
    123_456_789_012_345.6,
  ),
);
const date = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((any) => any.toISOString().slice(0, 10));
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((any) => any.toISOString());
const values = {
  text,
  number,
  date,
  'date-time': time,
  boolean: fc.boolean(),
  uuid: fc.uuid(),
  object: fc.record({ lat: number, lng: number }),
};

/** It is added to the odometer. */
const plausibleDistance = fc.integer({ min: -1_000_000, max: 1_000_000 });

/** Any fields of one part of a vehicle, in any order. */
function anyOf(part: string) {
  const fields = vehicleFields.filter(
    ({ path }) => path.split('.').length === 2 && path.startsWith(`${part}.`),
  );
  const known = fields.map(({ path, type }) => [
    path.slice(part.length + 1),
    path === 'status.nextServiceDistance' ? plausibleDistance : values[type],
  ]);
  return fc.record(Object.fromEntries(known), { requiredKeys: [] });
}

const ids = ['DE*ABC*1', 'DE*ABC*2', 'DE*ABC*3'];
const line = fc
  .record({ asset: anyOf('asset'), information: anyOf('information'), status: anyOf('status') })
  .map(({ asset, ...rest }) => ({ ...rest, asset: { ...asset, id: '' } }) as VehicleLine);
/** Vehicles are refused the VINs of others. */
const withVinOf = (id: string, { information, ...rest }: VehicleLine): VehicleLine => ({
  ...rest,
  information: information.vin ? { ...information, vin: `${information.vin} ${id}` } : information,
});
const write = fc.record({
  line,
  index: fc.nat(ids.length - 1),
  paths: fc.option(fc.subarray(vehicleValueFields.map(({ path }) => path)), { nil: undefined }),
  alone: fc.boolean(),
});

const differingItems = () =>
  service.db.query(`select item, ${storedItem()} as computed from vehicles v
    where item <> ${storedItem()}`);

test('whatever is written in whole or in part, the stored item is that of the columns', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 6 }), async (writes) => {
      for (const { line: any, index, paths, alone } of writes) {
        const id = ids[index] ?? '';
        const line = withVinOf(id, any);
        if (alone) await writeVehicle(quietWriter(service.db), provider, id, line);
        else {
          await writeVehicles(
            quietWriter(service.db),
            provider,
            [{ ...line, asset: { ...line.asset, id } }],
            paths,
          );
        }
      }
      expect(await differingItems()).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('any vehicle is read as it was written, its properties in the order of the schema', async () => {
  await fc.assert(
    fc.asyncProperty(line, async ({ asset, information, status }) => {
      // What it was told before would stay where it is newer.
      await service.db.query('delete from vehicles');
      const tracked = { ...information, trackGeolocation: true };
      const id = 'DE*ABC*1';
      const codes = { assetProviderCountryCode: 'DE', assetProviderCode: 'ABC' };
      // The one names an upload, and the other is a drawing where there is no own image.
      const { blobUuid: _ignored, ...own } = asset;
      const defaultImage = own.defaultImage ?? defaultImageOf(information);
      const written = {
        asset: { active: true, ...own, ...codes, defaultImage, id },
        information: tracked,
        status,
      };
      await writeVehicles(quietWriter(service.db), provider, [
        { ...written, asset: { ...asset, id } },
      ]);
      const read = JSON.parse((await readVehicle(service.db, provider, id))?.item ?? '');
      expect(read).toEqual(JSON.parse(JSON.stringify(written)));
      expect(pathsOf(read)).toEqual(
        vehicleFields.map(({ path }) => path).filter((path) => pathsOf(read).includes(path)),
      );
    }),
    { numRuns: 100 },
  );
});

function pathsOf(value: object, parent = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = parent === '' ? name : `${parent}.${name}`;
    const below = typeof inner === 'object' ? pathsOf(inner, path) : [];
    return parent === '' ? below : [path, ...below];
  });
}

type Versions = { vehicle: number; updated: string; fleet: string };
const versions = async () => {
  const [row] = await service.db.query<Versions>(
    `select v.version as vehicle, v.updated_at as updated, f.version as fleet
     from vehicles v join fleet_versions f using (provider)`,
  );
  return row;
};

test('an overwrite that changes nothing, and telemetry, move neither version nor updatedAt; a change does', async () => {
  const path = '/DE*ABC*1';
  const information = { vendor: 'VW', seats: 5 };
  expect((await service.call('PUT', path, { information })).status).toBe(201);
  const first = await versions();
  const version = first?.vehicle ?? 0;

  expect((await service.call('PUT', path, { information })).status).toBe(200);
  const timestamp = new Date().toISOString();
  await service.call('PUT', `${path}/status`, { timestamp, odometer: 7 });
  const line = { asset: { id: 'DE*ABC*1' }, information: { vendor: 'VW' }, status: {} };
  expect(
    await writeVehicles(quietWriter(service.db), provider, [line], ['information.vendor']),
  ).toEqual([]);
  expect(await versions()).toEqual(first);

  await writeVehicles(quietWriter(service.db), provider, [line], ['information.seats']);
  const second = await versions();
  expect(second?.vehicle).toBe(version + 1);
  expect(second?.fleet).not.toBe(first?.fleet);
  expect(second?.updated).not.toBe(first?.updated);
  const cleared = await service.call('GET', path);
  expect(cleared.json.information).toEqual({ vendor: 'VW' });

  expect((await service.call('PUT', path, { information })).status).toBe(200);
  expect((await versions())?.vehicle).toBe(version + 2);
});
