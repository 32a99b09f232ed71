import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migratedDataDir } from '../../../testing/migrated-data-dir.ts';
import { processesIn } from '../../../testing/processes.ts';
import { runCommand } from '../../../testing/run-command.ts';
import { createSandbox, postgresOf, programFile, type Sandbox } from '../../../testing/sandbox.ts';
import { canReach, hasPasswdEntry } from './account.ts';
import { openEmbedded } from './embedded-database.ts';

const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? accountNamed('nobody') : { uid: 0, gid: 0 };
const withoutPasswdEntry = { uid: 54_321, gid: 54_321 };
const reachable = isRoot && canReach(programFile, nobody) && canReach(process.execPath, nobody);

let sandbox: Sandbox;
let preparedDir: string;
beforeAll(async () => {
  sandbox = createSandbox();
  preparedDir = await migratedDataDir(sandbox);
  const { code } = await runCommand(['provider', 'add', 'DE', 'ABC', '--name', 'Kept'], {
    env: { DATA_DIR: preparedDir },
  });
  expect(code).toBe(0);
});
afterAll(() => sandbox.close());

function accountNamed(name: string) {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

function ownFolder({ uid, gid }: { uid: number; gid: number }): string {
  const dataDir = sandbox.dataDir();
  mkdirSync(dataDir);
  chownSync(dataDir, uid, gid);
  return dataDir;
}

test.skipIf(!isRoot)(
  'started by root, PostgreSQL runs as an unprivileged account, which owns its folder',
  async () => {
    const database = await openEmbedded(preparedDir, 'command');
    const owner = statSync(join(preparedDir, 'postgres')).uid;
    expect(owner).not.toBe(0);
    const processes = processesIn(join(preparedDir, 'postgres'));
    await database.close();
    expect(processes.length).toBeGreaterThan(1);
    for (const { uid } of processes) expect(uid).toBe(owner);
  },
);

test.skipIf(!reachable)('an ordinary user runs it as himself, in a folder of his own', async () => {
  const dataDir = ownFolder(nobody);
  const options = { env: { DATA_DIR: dataDir }, ...nobody };
  const service = await sandbox.start(['serve'], options);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  for (const { uid } of processesIn(join(dataDir, 'postgres'))) expect(uid).toBe(nobody.uid);
  service.kill();
  expect((await service.ended).code).toBe(0);
  expect(postgresOf(dataDir)).toBeUndefined();

  // Where root would follow what its owner puts there.
  const asRoot = await sandbox.run(['migrate'], { env: { DATA_DIR: dataDir } });
  expect(asRoot.code).toBe(1);
  expect(asRoot.stderr).toMatch(
    /^motorpool: .* belongs to uid \d+, so root does not use .*\(runuser -u nobody -- …\), .*\n$/,
  );
});

test.skipIf(!isRoot)('root does not use a folder of its own that others may write to', async () => {
  for (const mode of [0o777, 0o775]) {
    const dataDir = ownFolder({ uid: 0, gid: nobody.gid });
    chmodSync(dataDir, mode);
    const { code, stderr } = await sandbox.run(['migrate'], { env: { DATA_DIR: dataDir } });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^motorpool: Others than root may write to .* \(chmod go-w\), .*\n$/);
    expect(readdirSync(dataDir)).toEqual([]);
  }
});

test.skipIf(!isRoot)(
  'what the account puts in the place of a file leads root nowhere',
  async () => {
    const dataDir = sandbox.copyOf(preparedDir);
    const pgData = join(dataDir, 'postgres');
    const service = await sandbox.start(['serve'], { env: { DATA_DIR: dataDir } });
    const target = join(sandbox.folder, 'made-by-root');
    rmSync(join(pgData, 'motorpool_service-password'));
    symlinkSync(target, join(pgData, 'motorpool_service-password.new'));
    const postgres = postgresOf(dataDir) ?? 0;
    process.kill(postgres, 'SIGKILL');
    await expect.poll(() => postgresOf(dataDir), { timeout: 60_000 }).not.toBe(postgres);
    const made = () => existsSync(join(pgData, 'motorpool_service-password'));
    await expect.poll(made, { timeout: 60_000 }).toBe(true);
    expect(existsSync(target)).toBe(false);
    service.kill();
    expect((await service.ended).code).toBe(0);

    // A link in the place of a password: what it leads to is not sent to whoever listens on the socket.
    const password = join(pgData, 'motorpool-password');
    writeFileSync(target, 'of root', { mode: 0o600 });
    rmSync(password);
    symlinkSync(target, password);
    const listed = await sandbox.run(['provider', 'list'], { env: { DATA_DIR: dataDir } });
    expect(listed.code).toBe(1);
    expect(listed.stderr).toMatch(/ELOOP/);
  },
);

test.skipIf(!reachable)(
  'what root started, its account may start afterwards and nobody else',
  async () => {
    const dataDir = sandbox.copyOf(preparedDir);
    const { uid, gid } = statSync(join(dataDir, 'postgres'));
    const list = (as: { uid: number; gid: number }) =>
      sandbox.run(['provider', 'list'], { env: { DATA_DIR: dataDir }, ...as });
    const owner = await list({ uid, gid });
    expect(owner).toMatchObject({ code: 0, stderr: '' });
    expect(owner.stdout).toContain('Kept');

    const stranger = await list({ uid: accountNamed('daemon').uid, gid });
    expect(stranger.code).toBe(1);
    expect(stranger.stderr).toMatch(/^motorpool: .* belongs to uid \d+, .* DATA_DIR\.\n$/);
  },
);

test.skipIf(!reachable)(
  'a uid without a passwd entry is told what to set, and can go on with a folder that is its own',
  async () => {
    expect(hasPasswdEntry(withoutPasswdEntry.uid)).toBe(false);
    const fresh = ownFolder(withoutPasswdEntry);
    const refused = await sandbox.run(['migrate'], {
      env: { DATA_DIR: fresh },
      ...withoutPasswdEntry,
    });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /^motorpool: .* uid 54321, which has no entry in \/etc\/passwd: add one .* or set DATABASE_URL\.\n$/,
    );
    expect(readdirSync(fresh)).toEqual([]);

    const existing = sandbox.copyOf(preparedDir);
    execFileSync('chown', ['-R', `${withoutPasswdEntry.uid}:${withoutPasswdEntry.gid}`, existing]);
    const listed = await sandbox.run(['provider', 'list'], {
      env: { DATA_DIR: existing },
      ...withoutPasswdEntry,
    });
    expect(listed).toMatchObject({ code: 0, stderr: '' });
    expect(listed.stdout).toContain('Kept');
  },
);

test.skipIf(!reachable)('a data folder that cannot be written to is named', async () => {
  const dataDir = ownFolder({ uid: 0, gid: 0 });
  for (const [DATA_DIR, fault] of [
    [dataDir, /^motorpool: DATA_DIR: cannot write to .*\n$/],
    [join(dataDir, 'below'), /^motorpool: DATA_DIR: cannot make the folder .*\n$/],
  ] as const) {
    const { code, stderr } = await sandbox.run(['migrate'], { env: { DATA_DIR }, ...nobody });
    expect(code).toBe(1);
    expect(stderr).toMatch(fault);
  }
});
