import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createTestImports } from '../../testing/test-imports.ts';
import { inspectCsv } from './csv-file.ts';

const { db, composed, runImport, recordedDatabase, vehicles, ids } = await createTestImports();

describe('a file without faults', () => {
  test.each([
    ['commas', ',', '\n', ''],
    ['semicolons, a byte order mark and CRLF', ';', '\r\n', '\uFEFF'],
    ['tabs', '\t', '\n', ''],
  ])('may have %s', async (_what, separator, end, mark) => {
    const lines = [
      ['asset.id', 'information.vendor', 'model', 'status.odometer', 'status.location.lat', 'lng'],
      ['DE*ABC*V1', 'Škoda', `"two${end}lines, ""quoted""; and\tmore"`, '12.5', '-1e1', '13.25'],
      ['DE*ABC*V2', '', ' padded ', '', '', ''],
    ];
    const content = mark + lines.map((cells) => cells.join(separator) + end).join('');
    expect(await runImport(content)).toEqual({
      lines: 2,
      created: 2,
      overwritten: 0,
      faulty: 0,
      faults: [],
      notStored: [],
      cleared: [],
      positionTrackingDisabled: 0,
      written: true,
    });
    const unknown = { vendor: null, odometer: null, lat: null, lng: null };
    expect(await vehicles()).toEqual([
      {
        id: 'DE*ABC*V1',
        vendor: 'Škoda',
        model: `two${end}lines, "quoted"; and\tmore`,
        active: true,
        odometer: 12.5,
        lat: -10,
        lng: 13.25,
      },
      { ...unknown, id: 'DE*ABC*V2', model: ' padded ', active: true },
    ]);
  });

  test('writes the columns that it names, and leaves the others of a vehicle as they are', async () => {
    await runImport('id,vendor,model,active,odometer,lat,lng\nDE*ABC*V1,VW,Golf,false,5,52,13\n');
    const { created, overwritten } = await runImport('id,model,odometer\nDE*ABC*V1,Polo,\n');
    expect({ created, overwritten }).toEqual({ created: 0, overwritten: 1 });
    expect(await vehicles()).toEqual([
      {
        id: 'DE*ABC*V1',
        vendor: 'VW',
        model: 'Polo',
        active: false,
        odometer: null,
        lat: 52,
        lng: 13,
      },
    ]);
  });

  test('leaves the switches of a vehicle whose cells are empty as they are; a new vehicle has the defaults', async () => {
    const switches = () =>
      db.query(
        `select id, model, active, track_geolocation as tracked, keeps_position
         from vehicles v join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id order by id`,
      );
    const header = 'id,model,active,trackGeolocation\n';
    await runImport(`${header}DE*ABC*V1,Golf,false,false\nDE*ABC*V2,Golf,true,true\n`);
    const emptied = ['DE*ABC*V1,Polo,,', 'DE*ABC*V2,Polo,,false', 'DE*ABC*V3,Polo,,'];
    const { created, overwritten } = await runImport(`${header}${emptied.join('\n')}\n`);
    expect({ created, overwritten }).toEqual({ created: 1, overwritten: 2 });
    const polo = { model: 'Polo' };
    expect(await switches()).toEqual([
      { id: 'DE*ABC*V1', ...polo, active: false, tracked: false, keeps_position: false },
      { id: 'DE*ABC*V2', ...polo, active: true, tracked: false, keeps_position: false },
      { id: 'DE*ABC*V3', ...polo, active: true, tracked: null, keeps_position: true },
    ]);
  });

  test('leaves no prepared statement of its columns behind', async () => {
    const prepared = async () =>
      (await db.queryUnprepared('select 1 from pg_prepared_statements')).length;
    const importColumns = (names: string, cells: string) =>
      runImport(`id,${names}\nDE*ABC*V1,${cells},5\nDE*ABC*V2,${cells},-1\n`);
    await importColumns('vendor,inspection.fuel,odometer', 'VW,diesel');
    const before = await prepared();
    expect(before).toBeGreaterThan(0);
    await importColumns('model,inspection.usage,odometer', 'Golf,rental');
    await importColumns('seats,lat,lng,inspection.country,odometer', '5,52,13,DE');
    expect(await prepared()).toBe(before);
  });

  test('is followed by one estimate of its vehicle, and a file that is not kept by none', async () => {
    const line = 'id,vendor,firstRegistrationDate\nDE*ABC*V1,VW,2024-02-29\n';
    await composed.queue.drain();
    await runImport(line, false, true);
    await runImport(`${line}DE*ABC*V1,,\n`);
    expect(await composed.queue.drain()).toBe(0);
    await runImport(line);
    await runImport(line);
    expect(await composed.queue.drain()).toBe(1);
    const planned = await db.query('select vehicle_id, source from maintenance_reports');
    expect(planned).toEqual([{ vehicle_id: 'DE*ABC*V1', source: 'inspection' }]);
  });

  test('may say what decides on the inspection; what its header does not name stays', async () => {
    const inspections = () =>
      db.query(
        `select country, usage, fuel, vehicle_class, passed_on, version, estimated_date
         from inspections where vehicle_id = 'DE*ABC*V1'`,
      );
    await runImport(
      'id,firstRegistrationDate,usage,inspection.vehicleClass,fuel\nDE*ABC*V1,2025-03-10,private,N1,diesel\n',
    );
    await composed.queue.drain();
    const recorded = { country: null, usage: 'private', fuel: 'diesel', vehicle_class: 'N1' };
    expect(await inspections()).toEqual([
      { ...recorded, passed_on: null, version: 1, estimated_date: '2027-03-31' },
    ]);
    const change = 'id,lastInspectionDate,fuel\nDE*ABC*V1,2026-03-02,\n';
    for (let round = 0; round < 2; round++) await runImport(change);
    await composed.queue.drain();
    expect(await inspections()).toEqual([
      {
        ...recorded,
        fuel: null,
        passed_on: '2026-03-02',
        version: 2,
        estimated_date: '2028-03-31',
      },
    ]);
  });

  test('has 0 for a number too small for a normal double', async () => {
    await runImport('id,odometer\nDE*ABC*V1,1e-320\n');
    expect(await vehicles()).toMatchObject([{ odometer: 0 }]);
  });

  test('may have nothing but its header', async () => {
    expect(await runImport('asset.id\n')).toMatchObject({ lines: 0, written: true });
  });
});

describe('signals', () => {
  const statuses = () =>
    db.query('select odometer, fuel_level, tire_pressure_front_left as tyre from vehicle_statuses');
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

  test('that cannot be true are left out and told, and the rest of the line is written', async () => {
    await runImport('id,odometer,tirePressureFrontLeft\nDE*ABC*V1,5,2.5\n');
    const report = await runImport(
      'id,model,fuelLevel,tirePressureFrontLeft,lat,lng\nDE*ABC*V1,Golf,50,240,0,0\n',
    );
    expect(report).toMatchObject({
      faulty: 0,
      written: true,
      notStored: [
        { line: 2, detail: 'status.tirePressureFrontLeft must be from 0 to 16.' },
        { line: 2, detail: expect.stringContaining('status.location must not be 0/0') },
      ],
    });
    expect(await statuses()).toEqual([{ odometer: 5, fuel_level: 50, tyre: 2.5 }]);
    expect(await vehicles()).toMatchObject([{ model: 'Golf', lat: null }]);
  });

  test('of an odometer that fell are in doubt until the next file agrees', async () => {
    const line = (days: number, odometer: number, level: number) =>
      runImport(
        `id,lastUpdated,odometer,fuelLevel\nDE*ABC*V1,${daysAgo(days)},${odometer},${level}\n`,
      );
    expect((await line(9, 45_000, 90)).notStored).toEqual([]);
    expect((await line(8, 0, 80)).notStored).toMatchObject([
      {
        line: 2,
        detail:
          'status.odometer of 0 fell or leapt from 45000: it is in doubt until a later reading agrees with it.',
      },
    ]);
    expect(await statuses()).toMatchObject([{ odometer: 45_000, fuel_level: 80 }]);
    expect(await db.query('select odometer, odometer_confirmed from vehicle_history')).toEqual([
      { odometer: 0, odometer_confirmed: false },
    ]);
    expect((await line(7, 40, 70)).notStored).toEqual([]);
    expect(await statuses()).toMatchObject([{ odometer: 40, fuel_level: 70 }]);
  });

  test('of the future are a fault: all later messages would seem old', async () => {
    const { faults, written } = await runImport('id,lastUpdated\nDE*ABC*V1,2099-01-01T00:00:00Z\n');
    expect(written).toBe(false);
    expect(faults).toMatchObject([
      {
        line: 2,
        detail: expect.stringMatching(
          /^status\.lastUpdated must be at most 5 minutes ahead of the service's clock, which says /,
        ),
      },
    ]);
  });

  test('take every form of ISO 8601', async () => {
    await runImport('id,lastUpdated,odometer\nDE*ABC*V1,"2026-10-01t24:00:00,0+02",7\n');
    expect(await db.query('select last_updated from vehicle_statuses')).toEqual([
      { last_updated: '2026-10-01T22:00:00.000Z' },
    ]);
    const { faults } = await runImport('id,lastUpdated\nDE*ABC*V1,2026-10-01T12:00:00\n');
    expect(faults).toMatchObject([{ detail: expect.stringContaining('has no offset from UTC') }]);
  });
});

test.each([
  ['is empty', '', /is empty: its first line must name the columns\.$/],
  ['names an unknown column', 'asset.id,wheels\n', /^line 1: "wheels" is not a column: known are /],
  ['has a column without a name', 'asset.id,\n', /^line 1: "" is not a column/],
  ['names a column twice', 'id,asset.id\n', /^line 1: the column asset\.id stands there twice\.$/],
  ['names no id', 'model\nGolf\n', /^line 1: the column asset\.id is missing\.$/],
  ['never closes a quote', 'id,model\nDE*ABC*V1,"Golf\n', /: Quote Not Closed: .* at line \d/],
  ['has an endless line', `id\n${'x'.repeat(2_000_000)}`, /: Max Record Size: .* at line 2$/],
  ['is UTF-16', Buffer.from('\uFEFFid\nDE*ABC*V1\n', 'utf16le'), /UTF-16; save it as UTF-8$/],
])('a file that %s is refused as a whole', async (_what, content, fault) => {
  await expect(runImport(content)).rejects.toMatchObject({
    name: 'UserError',
    message: expect.stringMatching(fault),
  });
  expect(await ids()).toEqual([]);
});

test.each([
  ['/nowhere/vehicles.csv', /^Cannot read \/nowhere\/vehicles\.csv: ENOENT/],
  [tmpdir(), /^Cannot read .*: EISDIR/],
])('%s cannot be read', async (path, fault) => {
  await expect(inspectCsv(path)).rejects.toThrow(fault);
});

test('the tables of all providers are analysed after many lines, and not again soon after', async () => {
  const { recorded, statements } = recordedDatabase();
  const root = { ...recorded };
  let now = Date.now();
  const clock = { now: () => new Date(now) };
  const analyses = async (lines: number) => {
    statements.length = 0;
    const ids = Array.from({ length: lines }, (_, number) => `DE*ABC*${number}\n`);
    const dependencies = { ...composed.dependencies, db: { ...recorded, root }, clock };
    const report = await runImport(`asset.id\n${ids.join('')}`, false, false, dependencies);
    expect(report).toMatchObject({ lines, written: true });
    return statements.filter((text) => text.includes('analyze')).length;
  };
  for (const lines of [0, 999]) expect(await analyses(lines), String(lines)).toBe(0);
  const usual = recorded.isSharded ? 0 : 1;
  expect(await analyses(1_000)).toBe(usual);
  expect(await analyses(1_000)).toBe(0);
  now += 300_000;
  expect(await analyses(1_000)).toBe(usual);
});
