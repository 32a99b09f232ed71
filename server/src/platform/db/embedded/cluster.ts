import { type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../user-error.ts';
import { type Account, accountFor, hasPasswdEntry } from './account.ts';
import { packagedPostgres, runnablePostgres } from './binaries.ts';

/** One PostgreSQL data folder and the programs that run it. */
export type Cluster = {
  dataDir: string;
  pgData: string;
  logFile: string;
  programs: string;
  account: Account | undefined;
  /** Server parameters beyond ours; the tests turn fsync off with it. */
  parameters: Record<string, string>;
};

const superuser = 'motorpool';
const passwordFile = 'motorpool-password';
const startTimeoutMs = 60_000;

export async function prepareCluster(
  dataDir: string,
  parameters: Record<string, string> = {},
  packaged: string = packagedPostgres(),
): Promise<Cluster> {
  const pgData = join(dataDir, 'postgres');
  try {
    await mkdir(dataDir, { recursive: true });
  } catch (error) {
    throw new UserError(
      `DATA_DIR: cannot make the folder ${dataDir} (${(error as Error).message}).`,
    );
  }
  const account = accountFor(pgData);
  const programs = join(await runnablePostgres(packaged, dataDir, account), 'bin');
  const logFile = join(dataDir, 'postgres.log');
  const cluster = { dataDir, pgData, logFile, programs, account, parameters };
  if (existsSync(pgData)) refuseForeignOwner(cluster);
  else await initialise(cluster);
  return cluster;
}

export function connectionOf(cluster: Cluster) {
  const password = readFileSync(join(cluster.pgData, passwordFile), 'utf8');
  return { user: superuser, password };
}

/** The pid of the running postmaster, if there is one. */
export function runningPid(cluster: Cluster): number | undefined {
  try {
    const pid = Number(readFileSync(join(cluster.pgData, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return pid > 0 && isPostgres(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

/** Starts the server unless it runs; afterwards it runs, but may still be recovering. */
export async function ensureRunning(cluster: Cluster): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (runningPid(cluster) === undefined) {
    const failure = await startServer(cluster);
    if (failure === undefined || runningPid(cluster) !== undefined) return;
    // Left behind by a postmaster that was killed: its last children are gone in a moment.
    const passing = /shared memory block|lock file .* already exists|is empty/.test(failure);
    if (!passing || Date.now() > deadline) {
      throw new UserError(`The embedded PostgreSQL did not start: ${failure} (${cluster.logFile})`);
    }
    await sleep(200);
  }
}

/** Fast shutdown: sessions are cut, what is committed is on disk. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const pid = runningPid(cluster);
  if (pid === undefined) return;
  signal(pid, 'SIGINT');
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(15)) {
    if (!isPostgres(pid)) return;
  }
  signal(pid, 'SIGQUIT');
}

async function initialise(cluster: Cluster): Promise<void> {
  const { dataDir, pgData, programs, account } = cluster;
  const uid = account?.uid ?? process.getuid?.() ?? 0;
  if (!hasPasswdEntry(uid) && existsSync('/etc/passwd')) {
    throw new UserError(
      `PostgreSQL cannot make its data folder as uid ${uid}, which has no entry in /etc/passwd: ` +
        `add one (echo "motorpool:x:${uid}:${process.getgid?.() ?? uid}::${dataDir}:/bin/sh" >> /etc/passwd) or set DATABASE_URL.`,
    );
  }
  removeAbandoned(dataDir);
  // Built aside and renamed, so that a folder named postgres is always a whole one.
  const building = await mkdtemp(join(dataDir, `initdb-${process.pid}-`));
  const secret = join(dataDir, `.password-${process.pid}`);
  const password = randomBytes(32).toString('base64url');
  await writeFile(secret, password, { mode: 0o600 });
  if (account) {
    await chown(building, account.uid, account.gid);
    await chown(secret, account.uid, account.gid);
  }
  const secretFd = openSync(secret, 'r');
  try {
    const made = spawnSync(
      join(programs, 'initdb'),
      [
        `--pgdata=${folderArgument(building)}`,
        `--username=${superuser}`,
        '--pwfile=/dev/fd/3',
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // Independent of the machine's locales and their versions: an index never goes stale.
        '--locale-provider=builtin',
        '--locale=C.UTF-8',
        '--no-instructions',
      ],
      {
        ...asAccount(cluster, building),
        stdio: ['ignore', 'pipe', 'pipe', secretFd],
        encoding: 'utf8',
      },
    );
    if (made.status !== 0) {
      const reason =
        made.error?.message ?? (made.stderr.trim().split('\n').at(-1) || 'initdb failed');
      throw new UserError(`The embedded PostgreSQL could not make its data folder: ${reason}`);
    }
    const kept = join(building, passwordFile);
    await writeFile(kept, password, { mode: 0o600 });
    if (account) await chown(kept, account.uid, account.gid);
    await rename(building, pgData).catch((error) => {
      // Another process was first; its folder is as good as ours.
      if (!existsSync(join(pgData, 'PG_VERSION'))) throw error;
    });
  } finally {
    closeSync(secretFd);
    await rm(secret, { force: true });
    await rm(building, { recursive: true, force: true });
  }
}

/** What an initdb that was killed left behind. */
function removeAbandoned(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    const pid = Number(/^(?:initdb-|\.password-)(\d+)/.exec(name)?.[1]);
    if (pid && !isAlive(pid)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}

function refuseForeignOwner({ pgData }: Cluster): void {
  const ours = process.getuid?.();
  const owner = statSync(pgData).uid;
  if (ours !== undefined && ours !== 0 && owner !== ours) {
    throw new UserError(
      `${pgData} belongs to uid ${owner}, and this is uid ${ours}: start as its owner or as root, or set another DATA_DIR.`,
    );
  }
}

/** Answers nothing when the server came up, else the reason that it gave. */
async function startServer(cluster: Cluster): Promise<string | undefined> {
  const { pgData, programs, parameters, logFile } = cluster;
  const settings = {
    listen_addresses: '',
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    jit: 'off',
    ...parameters,
  };
  const log = openSync(logFile, 'a', 0o600);
  const logStart = statSync(logFile).size;
  const server = spawn(
    join(programs, 'postgres'),
    [
      '-D',
      folderArgument(pgData),
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    // Detached: Ctrl-C is for us alone, and a command that started it can leave before the service.
    { ...asAccount(cluster, pgData), detached: true, stdio: ['ignore', log, log] },
  );
  closeSync(log);
  let ended: string | undefined;
  server.once('error', (error) => {
    ended = error.message;
  });
  server.once('exit', (code, killedBy) => {
    ended = lastFatal(logFile, logStart) ?? `it ended with ${killedBy ?? code}`;
  });
  server.unref();
  while (ended === undefined && !isReady(pgData, server.pid)) await sleep(10);
  return ended;
}

/** The postmaster's own word, in the last line of its lock file. */
function isReady(pgData: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(pgData, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && /ready|starting|standby/.test(lines[7] ?? '');
  } catch {
    return false;
  }
}

function lastFatal(logFile: string, from: number): string | undefined {
  const lines = readFileSync(logFile).subarray(from).toString('utf8').split('\n');
  return lines
    .findLast((line) => /FATAL|PANIC|could not|cannot/.test(line))
    ?.replace(/^.*?(FATAL|PANIC): +/, '');
}

/**
 * PostgreSQL gets its data folder as its working folder, which is entered while we are still root,
 * and knows it by that name: so it runs below folders that its account may not enter.
 */
function folderArgument(folder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : folder;
}

function asAccount({ account }: Cluster, cwd: string): SpawnOptions {
  const env = { PATH: process.env.PATH ?? '', TZ: 'UTC', LC_ALL: 'C' };
  return account ? { cwd, env, uid: account.uid, gid: account.gid } : { cwd, env };
}

function isPostgres(pid: number): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    // The pid may have been given to another program since.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return /^\d+ \(postgres\) [^ZX]/.test(stat);
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended by itself.
  }
}
