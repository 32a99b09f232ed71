import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSandbox, postgresOf, type Sandbox } from '../../../testing/sandbox.ts';
import { packagedPostgres } from './binaries.ts';
import { openEmbedded } from './embedded-database.ts';

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === 'linux';

let sandbox: Sandbox;
let preparedDir: string;
const copies: string[] = [];
beforeAll(async () => {
  sandbox = createSandbox();
  preparedDir = sandbox.dataDir();
  await (await openEmbedded(preparedDir, 'command')).close();
});
afterAll(async () => {
  await sandbox.close();
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

/** The package as the registry has it, under a version of its own, in a folder of the sandbox. */
function packageIn(parent: string, options: { links: boolean }): string {
  mkdirSync(parent, { recursive: true });
  const native = join(parent, 'native');
  execFileSync('cp', ['-a', packagedPostgres(), native]);
  writeFileSync(
    join(parent, 'package.json'),
    JSON.stringify({ version: `0.0.0-test-${process.pid}` }),
  );
  if (!options.links) for (const link of linksIn(native)) rmSync(link);
  return native;
}

function linksIn(native: string): string[] {
  return readdirSync(native, { recursive: true, encoding: 'utf8' })
    .map((name) => join(native, name))
    .filter((path) => lstatSync(path).isSymbolicLink());
}

async function queryServer(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query('select 6 * 7 as answer');
    return rows[0].answer;
  } finally {
    await client.end();
  }
}

/** The folder of the programs that run on a data folder. */
function programsOf(dataDir: string): string {
  const native = dirname(dirname(readlinkSync(`/proc/${postgresOf(dataDir)}/exe`)));
  return realpathSync(native);
}

test.skipIf(!isRoot || !isLinux)(
  'it runs below a folder that its account cannot enter, data and programs alike',
  async () => {
    const privateFolder = join(sandbox.folder, 'private');
    mkdirSync(privateFolder, { mode: 0o700 });
    const packaged = packageIn(join(privateFolder, 'package'), { links: true });
    const dataDir = sandbox.dataDir('private/data');
    const database = await openEmbedded(dataDir, 'command', { packaged });
    const programs = programsOf(dataDir);
    copies.push(programs);
    expect(await queryServer(database.service)).toBe(42);
    expect(programs.startsWith(privateFolder)).toBe(false);
    expect(lstatSync(programs).uid).toBe(0);
    await database.close();

    // The second start reuses the copy.
    const { ino } = lstatSync(programs);
    const again = await openEmbedded(dataDir, 'command', { packaged });
    expect(programsOf(dataDir)).toBe(programs);
    expect(lstatSync(programs).ino).toBe(ino);
    await again.close();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log']);
  },
);

test.skipIf(!isLinux)(
  'it runs when install scripts were skipped, and leaves the package as it is',
  async () => {
    const packaged = packageIn(join(sandbox.folder, 'skipped'), { links: false });
    const before = readdirSync(packaged, { recursive: true });
    const dataDir = sandbox.copyOf(preparedDir);
    // What a start leaves that is killed while it copies.
    const staleBuild = join(dataDir, `postgresql-0.0.0-test-${process.pid}.building-4194304-x`);
    mkdirSync(staleBuild, { recursive: true });
    const database = await openEmbedded(dataDir, 'command', { packaged });
    expect(await queryServer(database.service)).toBe(42);
    expect(programsOf(dataDir).startsWith(dataDir)).toBe(true);
    await database.close();
    expect(readdirSync(packaged, { recursive: true })).toEqual(before);
    expect(linksIn(packaged)).toEqual([]);
    expect(existsSync(staleBuild)).toBe(false);
  },
);

test.skipIf(!isRoot || !isLinux)(
  'it runs when install scripts were skipped and the package cannot be written to',
  async () => {
    const packaged = packageIn(join(sandbox.folder, 'read-only'), { links: false });
    chmodSync(packaged, 0o555);
    const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) =>
      Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' })),
    );
    const dataDir = sandbox.copyOf(preparedDir);
    execFileSync('chown', ['-R', `${uid}:${gid}`, dataDir]);
    const script = `
      import { openEmbedded } from ${JSON.stringify(new URL('./embedded-database.ts', import.meta.url).href)};
      const database = await openEmbedded(process.argv[1], 'command', { packaged: process.argv[2] });
      await database.close();
      console.log('ran');`;
    const output = execFileSync(
      process.execPath,
      ['--input-type=module', '--eval', script, dataDir, packaged],
      { uid, gid, encoding: 'utf8' },
    );
    expect(output).toBe('ran\n');
    expect(readdirSync(dataDir)).toContain(`postgresql-0.0.0-test-${process.pid}`);
  },
);
