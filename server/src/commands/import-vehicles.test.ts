import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, type Sandbox } from '../testing/sandbox.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let sandbox: Sandbox;
let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  sandbox = createSandbox();
  database = await createTestDatabase();
  db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 5_000 });
});
afterAll(async () => {
  await sandbox.close();
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.query('delete from vehicles');
});

async function runImport(content: string, ...options: string[]) {
  const file = join(sandbox.folder, 'vehicles.csv');
  writeFileSync(file, content);
  const { code, stdout, stderr } = await runCommand(
    ['import', 'vehicles', 'DE', 'ABC', file, ...options],
    { env: database.env },
  );
  return { code, stdout, stderr };
}

const ids = async () =>
  (await db.query<{ id: string }>('select id from vehicles order by id')).map(({ id }) => id);

const good = 'id,model\nDE*ABC*V1,Golf\nDE*ABC*V2,Polo\n';
const faulty = 'id,seats\nDE*ABC*V3,five\nDE*ABC*V4,5\nDE*XYZ*V5,\n';
const expectedErrors =
  'line 2: information.seats must be a number.\n' +
  'line 4: The vehicle id must begin with DE*ABC*, the codes of its asset provider.\n';

test('it says how many are new and how many it overwrote', async () => {
  expect(await runImport('id\nDE*ABC*V1\n')).toMatchObject({ code: 0 });
  expect(await runImport(good)).toEqual({
    code: 0,
    stdout: '2 lines: 1 new, 1 overwritten, 0 faulty; imported.\n',
    stderr: '',
  });
  expect(await ids()).toEqual(['DE*ABC*V1', 'DE*ABC*V2']);
});

test('what it quotes of the file does not control the terminal', async () => {
  const { stderr } = await runImport('id,\u001b]0;x\u0007model\nDE*ABC*V1,Golf\n');
  expect(stderr).toContain('"\\u001b]0;x\\u0007model" is not a column');
});

test('a dry run tells the same and keeps nothing', async () => {
  expect(await runImport(good, '--dry-run')).toEqual({
    code: 0,
    stdout: '2 lines: 2 new, 0 overwritten, 0 faulty; found in a dry run, nothing kept.\n',
    stderr: '',
  });
  const { code, stdout } = await runImport(faulty, '--dry-run', '--skip-faulty', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ lines: 3, created: 1, faulty: 2, written: false });
  expect(await ids()).toEqual([]);
});

test('it says what vehicles lose', async () => {
  await runImport('id,vin,model\nDE*ABC*V1,WVW1,Golf\nDE*ABC*V2,WVW2,Polo\n');
  const csv = 'id,vin,model,trackGeolocation\nDE*ABC*V1,,Golf,false\nDE*ABC*V2,,,\n';
  const found = '2 lines: 0 new, 2 overwritten, 0 faulty;';
  const cleared = 'information.vin of 2 vehicles, information.model of 1 vehicle.';
  const erased = 'the positions of 1 vehicle, as information.trackGeolocation becomes false.';
  expect(await runImport(csv, '--dry-run')).toMatchObject({
    code: 0,
    stdout: `${found} found in a dry run, nothing kept.\nWould be cleared: ${cleared}\nWould be erased: ${erased}\n`,
  });
  expect(await runImport(csv)).toMatchObject({
    code: 0,
    stdout: `${found} imported.\nCleared: ${cleared}\nErased: ${erased}\n`,
  });
});

test('one fault keeps all from being written, unless --skip-faulty is given', async () => {
  expect(await runImport(faulty)).toEqual({
    code: 1,
    stdout: '3 lines: 1 new, 0 overwritten, 2 faulty; found, nothing kept because of the faults.\n',
    stderr: expectedErrors,
  });
  expect(await ids()).toEqual([]);
  expect(await runImport(faulty, '--skip-faulty')).toEqual({
    code: 1,
    stdout: '3 lines: 1 new, 0 overwritten, 2 faulty; imported.\n',
    stderr: expectedErrors,
  });
  expect(await ids()).toEqual(['DE*ABC*V4']);
});

test('--json is a report for a machine', async () => {
  const { code, stdout, stderr } = await runImport(faulty, '--json');
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({
    lines: 3,
    created: 1,
    overwritten: 0,
    faulty: 2,
    faults: [
      { line: 2, column: 'information.seats', detail: 'information.seats must be a number.' },
      {
        line: 4,
        column: 'asset.id',
        detail: 'The vehicle id must begin with DE*ABC*, the codes of its asset provider.',
      },
    ],
    notStored: [],
    cleared: [],
    positionTrackingDisabled: 0,
    written: false,
  });
});

test('more than a hundred faults are counted, and the first hundred are told', async () => {
  const { stdout, stderr } = await runImport(`id\n${'DE*XYZ*1\n'.repeat(250)}`);
  expect(stdout).toMatch(/^250 lines: 0 new, 0 overwritten, 250 faulty; /);
  expect(stderr.match(/^line /gm)).toHaveLength(100);
  expect(stderr).toMatch(/\n… the first 100 faults are shown; 250 lines are faulty\.\n$/);
});

test('a file that cannot be read is told in one sentence', async () => {
  const { code, stdout, stderr } = await runImport('');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^motorpool: .*vehicles\.csv is empty: its first line must name [^\n]*\n$/,
  );
});
