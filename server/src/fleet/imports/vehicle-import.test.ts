import { rmSync, writeFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Composed, compose } from '../../compose.ts';
import { fileStore } from '../../platform/blobs/file-store.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import type { Dependencies } from '../dependencies.ts';
import { inspectCsv } from './csv-file.ts';
import { importVehicles } from './vehicle-import.ts';

const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
const file = join(tmpdir(), `motorpool-import-${process.pid}.csv`);

let database: TestDatabase;
let db: Database;
let composed: Composed;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 60_000 });
  composed = await compose({
    db,
    owner: db,
    blobs: fileStore(tmpdir()),
    settings: {
      uploadLimitBytes: 1_000,
      auditRetentionDays: 730,
      eventsRetentionDays: 7,
      webhookNetworks: new BlockList(),
      historyDays: 1_100,
      chargingGapMs: 900_000,
    },
    runsJobs: false,
    onError: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  rmSync(file, { force: true });
  await composed.queue.close();
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.query('delete from vehicles');
});

async function runImport(
  content: string | Buffer,
  skipFaulty = false,
  dryRun = false,
  dependencies: Pick<Dependencies, 'db'> = composed.dependencies,
) {
  writeFileSync(file, content);
  const interruption = new AbortController().signal;
  const all = { ...composed.dependencies, ...dependencies };
  return importVehicles(all, provider, await inspectCsv(file), {
    skipFaulty,
    dryRun,
    interruption,
  });
}

/** A database that keeps the statements of its transactions. */
function recordedDatabase() {
  const statements: string[] = [];
  const recorded: Database = {
    ...db,
    transaction: (work) =>
      db.transaction((tx) =>
        work({
          ...tx,
          query(text, values) {
            statements.push(text);
            return tx.query(text, values);
          },
        }),
      ),
  };
  return { statements, recorded };
}

const vehicles = () =>
  db.query(
    `select v.id, vendor, model, active, odometer, lat, lng from vehicles v
     left join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id order by v.id`,
  );
const ids = async () =>
  (await db.query<{ id: string }>('select id from vehicles')).map((v) => v.id);

describe('VINs', () => {
  const header = 'asset.id,active,vin,seats\n';
  const content = (...lines: string[]) => header + lines.map((line) => `${line}\n`).join('');

  test('that another active vehicle has are faults, of two lines the later one', async () => {
    await runImport(content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,false,VIN2,2'));
    const lines = [
      'DE*ABC*V3,true,vin-1,5',
      'DE*ABC*V5,true,VIN5,5',
      'DE*ABC*V4,true,VIN 5,5',
      'DE*ABC*V6,false,VIN5,5',
      'DE*ABC*V7,true,VIN2,5',
    ];
    const faults = [
      { line: 2, detail: expect.stringContaining('DE*ABC*V1') },
      { line: 4, detail: expect.stringContaining('DE*ABC*V5') },
    ];
    const refused = await runImport(content(...lines));
    expect(refused).toMatchObject({ lines: 5, faulty: 2, faults, written: false });
    expect(await ids()).toHaveLength(2);
    const rest = await runImport(content(...lines), true);
    expect(rest).toMatchObject({ created: 3, overwritten: 0, faulty: 2, faults, written: true });
    expect((await ids()).sort()).toEqual(
      ['V1', 'V2', 'V5', 'V6', 'V7'].map((id) => `DE*ABC*${id}`),
    );
  });

  test('may be exchanged, and taken from a vehicle that the file deactivates', async () => {
    await runImport(content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,true,VIN2,2'));
    const exchanged = content('DE*ABC*V1,true,VIN2,2', 'DE*ABC*V2,true,VIN1,2');
    expect(await runImport(exchanged)).toMatchObject({ overwritten: 2, faulty: 0 });
    const replaced = content('DE*ABC*V3,true,VIN1,2', 'DE*ABC*V2,false,VIN1,2');
    expect(await runImport(replaced)).toMatchObject({ created: 1, overwritten: 1, faulty: 0 });
  });

  test('that vehicles share from before are no faults of lines that change nothing', async () => {
    await runImport(content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,false,VIN1,2'));
    await db.query(
      `update vehicles set active = true, item = replace(item, '"active":false', '"active":true')`,
    );
    const same = content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,true,VIN1,2', 'DE*ABC*V3,true,VIN3,2');
    expect(await runImport(same)).toMatchObject({ created: 1, overwritten: 2, faulty: 0 });
    const changed = content('DE*ABC*V1,true,VIN1,2', 'DE*ABC*V2,true,VIN1,3');
    expect(await runImport(changed)).toMatchObject({ faulty: 1, faults: [{ line: 3 }] });
    const changedFirst = content('DE*ABC*V2,true,VIN1,3', 'DE*ABC*V1,true,VIN1,2');
    expect(await runImport(changedFirst)).toMatchObject({ faulty: 1, faults: [{ line: 2 }] });
  });

  test('of many lines are found at once, whatever the order of their ids', async () => {
    const lines = Array.from({ length: 60 }, (_, index) => `DE*ABC*W${99 - index},true,VIN1,2`);
    const faults = lines.slice(1).map((_, index) => ({
      line: index + 3,
      detail: expect.stringContaining('DE*ABC*W99 '),
    }));
    const { statements, recorded } = recordedDatabase();
    const report = await runImport(content(...lines), true, false, { db: recorded });
    expect(report).toMatchObject({ created: 1, faulty: 59, faults, written: true });
    expect(await ids()).toEqual(['DE*ABC*W99']);
    expect(statements.filter((text) => text === 'savepoint batch')).toHaveLength(2);
  });

  test('that are passed on in a chain are followed for ten faults, and no further', async () => {
    const chain = (length: number, shift: number) =>
      Array.from(
        { length },
        (_, index) => `DE*ABC*C${index + 100},true,VIN${index + shift + 100},2`,
      );
    await runImport(content(...chain(40, 0)));
    const followed = content(...chain(9, 1).reverse());
    expect(await runImport(followed)).toMatchObject({ faulty: 9, written: false });
    await expect(runImport(content(...chain(39, 1)))).rejects.toThrow(
      /^Nothing was imported: many vehicles .* that of DE\*ABC\*C\d+ is taken/,
    );
  });

  test('are compared once all lines are written, those included that omit a signal', async () => {
    const withOdometer = (...lines: string[]) =>
      ['asset.id,active,vin,odometer', ...lines, ''].join('\n');
    const lines = ['DE*ABC*V1,true,VIN1,5', 'DE*ABC*V2,true,VIN2,-1', 'DE*ABC*V3,true,VIN2,5'];
    const report = await runImport(withOdometer(...lines), true);
    expect(report).toMatchObject({ created: 2, faulty: 1, faults: [{ line: 4 }] });
    expect(report.notStored).toHaveLength(1);
    const replaced = withOdometer('DE*ABC*V3,true,VIN2,5', 'DE*ABC*V2,false,VIN2,-1');
    expect(await runImport(replaced)).toMatchObject({ created: 1, overwritten: 1, faulty: 0 });
  });
});

test('lines that leave out signals in hundreds of combinations are refused', async () => {
  const columns = [
    'odometer',
    'fuelLevel',
    'tirePressureFrontLeft',
    'tirePressureFrontRight',
    'tirePressureRearLeft',
    'tirePressureRearRight',
    'reach',
    'nextServiceDistance',
  ];
  const header = ['asset.id', ...columns.map((name) => `status.${name}`)].join();
  const file = (combinations: number) =>
    [
      header,
      ...Array.from({ length: 300 }, (_, line) => {
        const pattern = line % combinations;
        return [
          `DE*ABC*G${line}`,
          ...columns.map((_, bit) => ((pattern >> bit) & 1 ? '-1e9' : '')),
        ].join();
      }),
      '',
    ].join('\n');
  expect(await runImport(file(150))).toMatchObject({ created: 300, written: true });
  await expect(runImport(file(250))).rejects.toThrow(
    /^Nothing was imported: lines 2 to 301 have too many combinations of signals/,
  );
});

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

describe('faults', () => {
  const header =
    'id,vin,model,seats,active,firstRegistrationDate,lastUpdated,blobUuid,odometer,lat,lng';
  /** Each record with its faults; a record may have several lines. */
  const lines: [string | Buffer, string[]][] = [
    ['DE*ABC*G1,,Golf,5,true,2024-02-29,2024-02-29T12:00:00+01:00,,1,,', []],
    ['DE*ABC*B1,,Golf,five,,,,,,,', ['information.seats must be a number.']],
    ['DE*ABC*G2,,"over\r\nthree\r\nlines",,,,,,,,', []],
    ['', []],
    ['DE*ABC*B2,,,,yes,,,,,,', ['asset.active must be a boolean.']],
    [
      'DE*ABC*B3,,"a\r\nb",1001,,2024-02-30,,,one,,',
      [
        'information.seats must be from 0 to 1000.',
        'information.firstRegistrationDate must be a calendar date such as 2024-02-29.',
        'status.odometer must be a number.',
      ],
    ],
    [
      'DE*ABC*B4,,,,,,yesterday,,,,',
      ['status.lastUpdated must be a date and time with its offset such as 2024-02-29T12:30:00Z.'],
    ],
    ['DE*ABC*B5,,,,,,,,1e999,,', ['status.odometer must be a number.']],
    ['DE*ABC*B6,,,,,,,,,52.5,', ['status.location.lng is required.']],
    ['DE*ABC*B7,,Golf', ['has 3 cells where the header has 11.']],
    ['DE*ABC*B8,,,,,,,,,,,', ['has 12 cells where the header has 11.']],
    [
      'FR*XYZ*B9,,,,,,,,,,',
      ['The vehicle id must begin with DE*ABC*, the codes of its asset provider.'],
    ],
    [
      'DE*ABC*B 10,,,,,,,,,,',
      ['After DE*ABC* the vehicle id must have 1 to 64 letters, digits or any of . _ -.'],
    ],
    [',,Golf,,,,,,,,', ['asset.id is required.']],
    [
      Buffer.from('DE*ABC*B11,,G\xf6lf,,,,,,,,', 'latin1'),
      ['information.model is not valid UTF-8.'],
    ],
    ['DE*ABC*B12,,a\0b,,,,,,,,', ['information.model must not contain NUL.']],
    // What names an uploaded image is ignored.
    [`DE*ABC*B13,${'9'.repeat(201)},,,,,,7,,,`, ['information.vin must have 1 to 200 characters.']],
    ['DE*ABC*G1,,Polo,,,,,,,,', ['DE*ABC*G1 stands on an earlier line already.']],
    ['DE*ABC*G3,,\uFFFD,,,,,,,,', []],
  ];
  const content = Buffer.concat(
    [header, ...lines.map(([line]) => line)].flatMap((line) => [
      Buffer.from(line as string),
      Buffer.from('\r\n'),
    ]),
  );

  function expectedIssues() {
    let next = 2;
    return lines.flatMap(([text, details]) => {
      const line = next;
      next += text.toString('latin1').split('\n').length;
      return details.map((detail) => ({ line, detail }));
    });
  }

  test('are all told, each by the line on which its record begins', async () => {
    const report = await runImport(content);
    expect(report.faults).toMatchObject(expectedIssues());
    expect(report).toMatchObject({ lines: 18, created: 3, faulty: 15, written: false });
    expect(await ids()).toEqual([]);
  });

  test('of the inspection are told as well', async () => {
    const { faults } = await runImport(
      'id,vehicleClass,lastInspectionDate,country\nDE*ABC*V1,N4,,\nDE*ABC*V2,N3,2999-01-01,UK\n',
    );
    expect(faults).toMatchObject([
      { line: 2, detail: expect.stringMatching(/^inspection\.vehicleClass must be one of M1, N1/) },
      { line: 3, detail: expect.stringMatching(/^inspection\.lastInspectionDate must not be in/) },
      { line: 3, detail: 'inspection.country: UK is not a country of ISO 3166-1.' },
    ]);
  });

  test('can be skipped, and the good lines are kept', async () => {
    const report = await runImport(content, true);
    expect(report.faults).toMatchObject(expectedIssues());
    expect(report).toMatchObject({ created: 3, faulty: 15, written: true });
    expect((await ids()).sort()).toEqual(['DE*ABC*G1', 'DE*ABC*G2', 'DE*ABC*G3']);
  });

  test('a vehicle that stands twice is found, however far apart', async () => {
    const repeated = Array.from({ length: 2_500 }, (_, index) => `DE*ABC*V${index}`);
    repeated[999] = 'DE*ABC*V998';
    repeated[2_400] = 'DE*ABC*V0';
    const { faults, written } = await runImport(`id\n${repeated.join('\n')}\n`);
    expect(faults).toMatchObject([
      { line: 1_001, detail: 'DE*ABC*V998 stands on an earlier line already.' },
      { line: 2_402, detail: 'DE*ABC*V0 stands on an earlier line already.' },
    ]);
    expect(written).toBe(false);
    expect(await ids()).toEqual([]);
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
