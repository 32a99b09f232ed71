import { closeSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../user-error.ts';
import { readAccountFile } from './account-files.ts';
import type { Cluster } from './cluster.ts';
import { isAlive, spawnProgram } from './program.ts';
import { lastFatal, openLog } from './server-log.ts';

const startTimeoutMs = 60_000;
const stopTimeoutMs = 30_000;

/** Starts the server unless it runs; afterwards it runs, but may still be recovering. */
export async function ensureRunning(cluster: Cluster): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (runningPid(cluster) === undefined) {
    const failure = await startServer(cluster);
    if (failure === undefined || runningPid(cluster) !== undefined) return;
    // A killed postmaster leaves these; its children exit shortly after it.
    const isTransient = /shared memory block|lock file .* already exists|is empty/.test(failure);
    if (!isTransient || Date.now() > deadline) {
      if (/incompatible with server/.test(failure)) refuseOtherVersion(cluster);
      throw new UserError(`The embedded PostgreSQL did not start: ${failure} (${cluster.logFile})`);
    }
    const stale = staleLockFiles(cluster);
    for (const file of stale) await removeLockFile(cluster, file);
    if (stale.length === 0) await sleep(200);
  }
}

function refuseOtherVersion({ dataDir, pgData, account }: Cluster): void {
  const version = readAccountFile(join(pgData, 'PG_VERSION'), account).trim();
  throw new UserError(
    `The data folder ${dataDir} is of PostgreSQL ${version}, which this Motorpool does not have: run "motorpool backup FILE" with the ` +
      `Motorpool that has PostgreSQL ${version}, then "motorpool restore FILE" with this one and another DATA_DIR.`,
  );
}

/** Fast shutdown: sessions are cut, what is committed is on disk. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const pid = runningPid(cluster);
  if (pid === undefined) return;
  signal(pid, 'SIGINT');
  for (const deadline = Date.now() + stopTimeoutMs; Date.now() < deadline; await sleep(15)) {
    if (!isServer(pid, cluster)) return;
  }
  signal(pid, 'SIGQUIT');
}

/** The pid of the running postmaster, if there is one. */
function runningPid(cluster: Cluster): number | undefined {
  const pid = Number(lockFile(cluster)[0]);
  return pid > 0 && isServer(pid, cluster) ? pid : undefined;
}

// Of the data folder and of the socket.
const lockFiles = ['postmaster.pid', '.s.PGSQL.5432.lock'] as const;

/** The lines of a lock file: the first is the pid of the postmaster, the eighth of its own its state. */
function lockFile({ pgData, account }: Cluster, name: string = lockFiles[0]): string[] {
  try {
    return readAccountFile(join(pgData, name), account).split('\n');
  } catch {
    return [];
  }
}

/**
 * Those whose server and its children have exited, but whose pid is in use: after a reboot or in a new container, by
 * another program. PostgreSQL would wait for that program to exit.
 */
function staleLockFiles(cluster: Cluster): string[] {
  if (process.platform !== 'linux') return [];
  const processes = readdirSync('/proc').map(Number).filter(Number.isInteger);
  if (processes.some((one) => isServer(one, cluster))) return [];
  return lockFiles.filter((name) => {
    const pid = Number(lockFile(cluster, name)[0]);
    return pid > 0 && isAlive(pid);
  });
}

async function removeLockFile(cluster: Cluster, name: string): Promise<void> {
  const file = join(cluster.pgData, name);
  const moved = `${file}.${process.pid}`;
  try {
    await rename(file, moved);
    // Another process may have started the server meanwhile: restores its lock file.
    const pid = Number(readAccountFile(moved, cluster.account).split('\n')[0]);
    if (isServer(pid, cluster)) await rename(moved, file);
    else await rm(moved);
  } catch {
    // Another process was first.
  }
}

/** An eighth of the memory: docs/decisions/0025-hot-path.md. */
function sharedBuffersMiB(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(1_024, Math.max(128, bytes / 8 / 1_048_576)));
}

/** Returns undefined once the server is up, otherwise the reason of its failure. */
async function startServer(cluster: Cluster): Promise<string | undefined> {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: '.',
    unix_socket_permissions: '0700',
    timezone: 'UTC',
    jit: 'off',
    shared_buffers: `${sharedBuffersMiB()}MB`,
    ...cluster.parameters,
  };
  const log = openLog(cluster);
  const server = spawnProgram(
    cluster,
    'postgres',
    cluster.pgData,
    (folder) => [
      '-D',
      folder,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    ['ignore', log.fd, log.fd],
  );
  closeSync(log.fd);
  let exitReason: string | undefined;
  server.once('error', (error) => {
    exitReason = error.message;
  });
  server.once('exit', (code, killedBy) => {
    exitReason = `it ended with ${killedBy ?? code}`;
  });
  // A command that started it may exit before the service does.
  server.unref();
  while (exitReason === undefined) {
    const { 0: pid, 7: state = '' } = lockFile(cluster);
    if (Number(pid) === server.pid && /ready|starting|standby/.test(state)) return undefined;
    await sleep(10);
  }
  return (await lastFatal(cluster.logFile, log.size)) ?? exitReason;
}

/** Whether the process is a server on this data folder: the pid may have been reused. */
function isServer(pid: number, { pgData }: Cluster): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    const isPostgres = /^\d+ \(postgres\) [^ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    const [at, data] = [statSync(`/proc/${pid}/cwd`), statSync(pgData)];
    return isPostgres && at.dev === data.dev && at.ino === data.ino;
  } catch {
    return false;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has exited already.
  }
}
