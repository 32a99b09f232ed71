import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Type from 'typebox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const path = '/DE*ABC*V1';
let database: TestDatabase;
let service: TestService;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'motorpool-new-field-'));
  database = await createTestDatabase();
  const before = await startTestService({ database });
  await before.call('PUT', path, { information: { vendor: 'VW' } });
  await before.owner.query('alter table vehicles add column paint_code text');
  await before.owner.query('select audit_tables()');
  await before.owner.query(
    `alter table vehicle_statuses
       add column drive_mode text, add column drive_mode_at timestamptz(3),
       add column cabin_temperature double precision, add column cabin_temperature_at timestamptz(3)`,
  );
  await before.stop();
  service = await serviceWithMoreFields();
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true });
  // The files that follow have the modules as they are.
  vi.resetModules();
});

async function serviceWithMoreFields(): Promise<TestService> {
  vi.resetModules();
  const { VehicleSchema } = await import('./vehicle.ts');
  const { information, status } = VehicleSchema.properties;
  Object.assign(information.properties, { paintCode: Type.Optional(Type.String()) });
  Object.assign(status.properties, {
    driveMode: Type.Optional(Type.String()),
    cabinTemperature: Type.Optional(Type.Number()),
  });
  const module = await import('../../testing/test-service.ts');
  return module.startTestService({ database });
}

const find = async (field: string, value: unknown) => {
  const filters = [{ field, value }];
  const sorting = [{ field, direction: 'desc' }];
  return (await service.call('POST', '/vehicles', { filters, sorting })).json.items;
};

test('a vehicle from before the field lacks it, until it is written', async () => {
  expect((await service.call('GET', path)).json.information).toEqual({ vendor: 'VW' });
  const information = { vendor: 'VW', paintCode: 'LA5M "blau"' };
  const { status, json } = await service.call('PUT', path, { information });
  expect([status, json.information]).toEqual([200, information]);
  const [event] = (await service.call('POST', '/audit/search')).json.items;
  expect(event.changes).toEqual({ paintCode: { after: information.paintCode } });
  expect(await find('paintCode', 'LA5M "blau"')).toEqual([json]);
});

test('a signal is received in messages, each with its time, returned, and found', async () => {
  const at = (minutes: number) => new Date(Date.now() + (minutes - 60) * 60_000).toISOString();
  const [first, late] = [at(10), at(5)];
  await service.call('PUT', `${path}/status`, { timestamp: first, driveMode: 'éco' });
  const messages = [
    { vehicleId: 'DE*ABC*V1', timestamp: late, driveMode: 'sport', cabinTemperature: -3.5 },
  ];
  const { json } = await service.call('POST', '/databox/messages', messages);
  expect(json.counts.accepted).toBe(1);
  const [found] = await find('status.driveMode', 'éco');
  expect(found.status).toEqual({ lastUpdated: first, driveMode: 'éco', cabinTemperature: -3.5 });
});

test('it is a column of the files that are imported and exported', async () => {
  const { importVehicles, inspectCsv } = await import('../imports/public.ts');
  const { exportVehicles } = await import('../../commands/vehicle-export.ts');
  const interruption = new AbortController().signal;
  const [given, exported] = [join(folder, 'given.csv'), join(folder, 'exported.csv')];
  await writeFile(given, 'id,paintCode,driveMode\nDE*ABC*V2,Z157,normal\n');
  const { db } = service.dependencies;
  await importVehicles(service.dependencies, provider, await inspectCsv(given), { interruption });
  await db.transaction((tx) => exportVehicles(tx, provider.id, exported, interruption));
  const [header = '', ...lines] = (await readFile(exported, 'utf8')).trim().split('\n');
  const cells = lines.find((line) => line.startsWith('DE*ABC*V2,'))?.split(',');
  const cell = (name: string) => cells?.[header.split(',').indexOf(name)];
  expect([cell('information.paintCode'), cell('status.driveMode')]).toEqual(['Z157', 'normal']);
});

test('it stands in the document', async () => {
  const { json } = await service.send({ path: '/openapi.json' });
  const { Vehicle, StatusMessage } = json.components.schemas;
  expect(Vehicle.properties.information.properties).toHaveProperty('paintCode');
  expect(StatusMessage.properties).toHaveProperty('driveMode');
});
