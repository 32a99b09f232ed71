import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeVehicles } from '../fleet/vehicles/public.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { quietWriter } from '../testing/no-subscribers.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, programFile, type Sandbox } from '../testing/sandbox.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let sandbox: Sandbox;
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  sandbox = createSandbox();
  database = await createTestDatabase();
  db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 5_000 });
  // An image goes with its vehicle, and no import brings it back.
  await makeFleet(db, 'DE', 'ABC', 1_234, { hasImages: false });
  await makeFleet(db, 'FR', 'XYZ', 3);
  await writeVehicles(
    quietWriter(db),
    { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    oddVehicles,
  );
});
afterAll(async () => {
  await sandbox.close();
  await db.close();
  await database.drop();
});

/** Text that CSV must quote or escape. */
const oddVehicles = [
  'a,b;c\td',
  '"quoted", he said',
  'one\ntwo\r\nthree\rfour',
  ' padded\t',
  '=1+1',
  '\uFEFFmark',
  'replaced \uFFFD',
  '🚗 Škoda',
  '007',
  'true',
  '\\N',
  '-5',
  '+49 30 1234',
  "@SUM(1)*cmd|'/C calc'!A0",
  '\t=1',
  'x;"=1+1;"',
  'x;\'"=1+1',
  '\r=1',
  '\n=1',
  '＝1+1',
  "'=1+1",
  "''@quoted",
  "'s-Gravenhage",
  "''",
  'x;=1+1',
  "a;'=1\t+2\n@three;;-4",
].map((model, index) => ({
  asset: { id: `DE*ABC*ODD-${index}` },
  information: { model, evBatteryCapacity: 0.1 + 0.2, iceTankCapacity: 1e21 },
  status: { odometer: 2.3e-308, location: { lat: -0.000001, lng: 179.99999999999997 } },
}));

const motorpool = (...args: string[]) => runCommand(args, { env: database.env });
const inSandbox = (name: string) => join(sandbox.folder, name);
// Without the version, which starts with the time of creation: docs/decisions/0024-etags-and-changed-since.md.
const allVehicles = () =>
  db.query(
    `select v.provider, to_jsonb(v) - '{version,created_at,updated_at}'::text[] as vehicle, to_jsonb(s) as status
     from vehicles v left join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
     order by v.provider, v.id`,
  );

test('what is exported, deleted and imported is the same, and exports as the same file', async () => {
  const [first, second] = [inSandbox('first.csv'), inSandbox('second.csv')];
  const before = await allVehicles();
  expect(before.length).toBe(1_234 + oddVehicles.length + 3);
  expect((await motorpool('export', 'vehicles', 'DE', 'ABC', first)).code).toBe(0);
  await db.query(`delete from vehicles where provider = 'DE-ABC'`);
  const imported = await motorpool('import', 'vehicles', 'DE', 'ABC', first);
  expect(imported).toMatchObject({
    code: 0,
    stdout: `${1_234 + oddVehicles.length} lines: ${1_234 + oddVehicles.length} new, 0 overwritten, 0 faulty; imported.\n`,
    stderr: '',
  });
  expect(await allVehicles()).toEqual(before);
  expect((await motorpool('export', 'vehicles', 'DE', 'ABC', second)).code).toBe(0);
  expect(readFileSync(second).equals(readFileSync(first))).toBe(true);
  expect(readFileSync(first, 'utf8')).not.toContain('FR*XYZ');
});

test('no text of a vehicle is a formula for a spreadsheet; numbers stay numbers', async () => {
  const file = inSandbox('formulas.csv');
  expect((await motorpool('export', 'vehicles', 'DE', 'ABC', file)).code).toBe(0);
  const lines: Record<string, string>[] = parse(readFileSync(file), { columns: true });
  expect(lines).toHaveLength(1_234 + oddVehicles.length);
  const isNumber = (cell: string) => /^-?\d+(\.\d+)?(e[+-]\d+)?$/.test(cell);
  for (const line of lines) {
    for (const [column, cell] of Object.entries(line)) {
      if (!(isNumber(cell) && /location|odometer|Distance/.test(column)))
        expect(cell, column).not.toMatch(/^[\t\r\n]|(?:^|[;\t\r\n])"*[=+\-@＝＋－＠]/);
    }
  }
  const modelOf = (index: number) =>
    lines.find((line) => line['asset.id'] === `DE*ABC*ODD-${index}`)?.['information.model'];
  for (const [index, { information }] of oddVehicles.entries()) {
    expect(modelOf(index)?.replaceAll("'", '')).toBe(information.model.replaceAll("'", ''));
  }
  expect(lines.find((line) => line['asset.id'] === 'DE*ABC*ODD-0')).toMatchObject({
    'status.location.lat': '-0.000001',
  });
});

test('a file of the name is a whole one, or the one that was there', async () => {
  const file = inSandbox('kept.csv');
  writeFileSync(file, 'precious');
  const failed = await motorpool('export', 'vehicles', 'DE', 'ZZZ', file);
  expect(failed.code).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('precious');

  symlinkSync(file, inSandbox('link.csv'));
  expect((await motorpool('export', 'vehicles', 'FR', 'XYZ', inSandbox('link.csv'))).code).toBe(0);
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(4);
  expect(readdirSync(sandbox.folder).filter((name) => name.endsWith('.partial'))).toEqual([]);

  const missingFolder = await motorpool(
    'export',
    'vehicles',
    'FR',
    'XYZ',
    inSandbox('no/file.csv'),
  );
  expect(missingFolder).toMatchObject({ code: 1, stdout: '' });
  expect(missingFolder.stderr).toMatch(/^motorpool: Cannot write .*no\/file\.csv: ENOENT.*\n$/);
});

test('a new file is for its owner alone, and no link that was planted is followed', async () => {
  const [file, other] = [inSandbox('private.csv'), inSandbox('other.csv')];
  writeFileSync(other, 'precious');
  symlinkSync(other, `${file}.partial`);
  expect((await motorpool('export', 'vehicles', 'FR', 'XYZ', file)).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(other, 'utf8')).toBe('precious');
});

test('a device is written to, not replaced', async () => {
  expect((await motorpool('export', 'vehicles', 'FR', 'XYZ', '/dev/null')).code).toBe(0);
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(existsSync('/dev/null.partial')).toBe(false);
});

test('a reader that has seen enough is no fault', () => {
  const shown = spawnSync(
    'bash',
    [
      '--norc',
      '-c',
      'set -o pipefail; "$0" "$1" export vehicles DE ABC | head -n 1',
      process.execPath,
      programFile,
    ],
    {
      env: { PATH: process.env.PATH, ...database.env },
      encoding: 'utf8',
    },
  );
  expect(shown.stdout).toMatch(/^asset\.id,asset\.assetProviderCountryCode,/);
  expect({ status: shown.status, stderr: shown.stderr }).toEqual({ status: 0, stderr: '' });
});
