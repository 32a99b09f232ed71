import pg from 'pg';
import Postgrator from 'postgrator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { migrate } from './migrate.ts';

/** A database as an earlier schema left it, brought to the newest with all that is in it. */
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const incident = '11111111-1111-4111-8111-111111111111';
const asOfSchema4 = `
  insert into providers (id, name) values ('DE-OLD', 'Old');
  insert into vehicles (provider, id, vin, license_plate, vendor, model, seats, first_registration_date,
    ev_battery_capacity)
  values ('DE-OLD', 'DE*OLD*1', 'WVW123', 'B-Ü "1"', 'VW', 'Golf', 5, '2020-02-29', 77.123456789012),
    ('DE-OLD', 'DE*OLD*2', null, null, null, null, null, null, null);
  insert into vehicle_statuses (provider, vehicle_id, last_updated, odometer, fuel_level, signal_times)
  values ('DE-OLD', 'DE*OLD*1', '2026-01-02T03:04:05.678Z', 1234.5, 50,
      '{"odometer": 1767323045678, "fuelLevel": 1767323000000}'),
    ('DE-OLD', 'DE*OLD*2', null, null, null, '{}');
  create table history_of_all_time partition of vehicle_history default;
  insert into vehicle_history (provider, vehicle_id, time, odometer)
  values ('DE-OLD', 'DE*OLD*1', '2026-01-01T00:00:00Z', 1200),
    ('DE-OLD', 'DE*OLD*1', '2026-01-02T03:04:05.678Z', 1234.5);
  insert into incidents (provider, vehicle_id, id, title, vehicle_operable, is_resolved)
  values ('DE-OLD', 'DE*OLD*1', '${incident}', 'Scratched', true, false),
    ('DE-OLD', 'DE*OLD*1', '22222222-2222-4222-8222-222222222222', 'Without damages', true, true);
  insert into incident_damages
  values ('DE-OLD', 'DE*OLD*1', '${incident}', 2, 'Door', 'scratch', 'light', false, 'b'),
    ('DE-OLD', 'DE*OLD*1', '${incident}', 1, 'Roof', 'dent', 'high', true, 'a');
`;

async function one(text: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query(text);
  return rows[0];
}

test('what schema 4 kept is kept', async () => {
  await client.query('drop schema public cascade');
  await client.query('create schema public');
  const old = new Postgrator({
    driver: 'pg',
    migrationPattern: new URL('../../../migrations/*.sql', import.meta.url).pathname,
    schemaTable: 'schema_version',
    execQuery: (query: string) => client.query(query),
  });
  await old.migrate('004');
  await client.query(asOfSchema4);
  // As a server may be set that others use, too.
  await client.query(
    `alter database "${database.connection.database}" set extra_float_digits = -6`,
  );

  expect(await migrate(database.connection)).toBeGreaterThan(0);

  const { item, search_text: text } = await one(
    `select item, search_text from vehicles where id = 'DE*OLD*1'`,
  );
  expect(JSON.parse(String(item))).toEqual({
    asset: {
      id: 'DE*OLD*1',
      assetProviderCountryCode: 'DE',
      assetProviderCode: 'OLD',
      active: true,
    },
    information: {
      vin: 'WVW123',
      vendor: 'VW',
      model: 'Golf',
      licensePlate: 'B-Ü "1"',
      seats: 5,
      firstRegistrationDate: '2020-02-29',
      evBatteryCapacity: 77.123_456_789_012,
    },
  });
  expect(text).toBe('wvw123\nb-ü "1"\nvw\ngolf\n');
  expect(
    await one(`select odometer_at, fuel_level_at, reach_at, history_until, odometer_bucket
      from vehicle_statuses where vehicle_id = 'DE*OLD*1'`),
  ).toEqual({
    odometer_at: new Date('2026-01-02T03:04:05.678Z'),
    fuel_level_at: new Date(1_767_323_000_000),
    reach_at: null,
    history_until: new Date('2026-01-02T03:04:05.678Z'),
    odometer_bucket: 61,
  });
  const { rows } = await client.query('select title, damages from incidents order by title');
  expect(rows).toEqual([
    {
      title: 'Scratched',
      damages: [
        { title: 'Roof', damageType: 'dent', severity: 'high', repaired: true, position: 'a' },
        { title: 'Door', damageType: 'scratch', severity: 'light', repaired: false, position: 'b' },
      ],
    },
    { title: 'Without damages', damages: null },
  ]);
});
