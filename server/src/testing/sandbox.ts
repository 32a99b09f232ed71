import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const programFile = fileURLToPath(new URL('../../bin/motorpool.js', import.meta.url));

type Ended = {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
};

type RunOptions = {
  env?: Record<string, string>;
  input?: string;
  uid?: number;
  gid?: number;
  cwd?: string;
  /** The program of another checkout. */
  program?: string;
};

export type Running = {
  pid: number;
  stdout(): string;
  stderr(): string;
  kill(signal?: NodeJS.Signals): void;
  ended: Promise<Ended>;
};

export type Sandbox = {
  folder: string;
  /** A data folder that does not exist yet. */
  dataDir(name?: string): string;
  /** A copy of a data folder, with its owners. */
  copyOf(dataDir: string): string;
  /** Starts a command. */
  spawn(args: string[], options?: RunOptions): Running;
  /** Runs a command to its end. */
  run(args: string[], options?: RunOptions): Promise<Ended>;
  /** Starts `serve` or `demo`, and waits until it prints its address. */
  start(args: string[], options?: RunOptions): Promise<Running & { url: string }>;
  /** Ends all processes, including the PostgreSQL of every data folder, and removes the folder. */
  close(): Promise<void>;
};

/** A folder to run the real command line in, each time as a separate process. */
export function createSandbox(): Sandbox {
  const folder = mkdtempSync(join(fastFolder(), 'motorpool-sandbox-'));
  // Other accounts also run commands in it.
  chmodSync(folder, 0o755);
  const started = new Set<Running>();
  const dataDirs: string[] = [];

  const sandbox: Sandbox = {
    folder,
    dataDir(name = `data-${dataDirs.length}`) {
      const dataDir = join(folder, name);
      dataDirs.push(dataDir);
      return dataDir;
    },
    copyOf(dataDir) {
      const copy = sandbox.dataDir();
      execFileSync('cp', ['-a', dataDir, copy]);
      return copy;
    },
    spawn(args, options = {}) {
      const running = spawnProgram(args, { cwd: folder, ...options });
      started.add(running);
      void running.ended.then(() => started.delete(running));
      return running;
    },
    run: (args, options) => sandbox.spawn(args, options).ended,
    async start(args, options) {
      const running = sandbox.spawn(args, options);
      let ended = false;
      void running.ended.then(() => {
        ended = true;
      });
      for (;;) {
        const url = /(?:runs at |"url":")(http[^\s"]+)/.exec(running.stdout())?.[1];
        if (url) return { ...running, url };
        if (ended) throw new Error(`It ended at once: ${running.stdout()}${running.stderr()}`);
        await sleep(10);
      }
    },
    async close() {
      for (const running of started) running.kill('SIGKILL');
      await Promise.all([...started].map(({ ended }) => ended));
      for (const dataDir of dataDirs) await endPostgres(dataDir);
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
  return sandbox;
}

/** In memory where there is space: tests kill processes, not the machine, and need no durable disk. */
export function fastFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    const hasSpace = bavail * bsize > 4 * 1024 ** 3;
    const isNoExec = / \/dev\/shm \S+ \S*noexec/.test(readFileSync('/proc/mounts', 'utf8'));
    return hasSpace && !isNoExec ? '/dev/shm' : tmpdir();
  } catch {
    return tmpdir();
  }
}

function spawnProgram(args: string[], options: RunOptions): Running {
  const { env = {}, input, program = programFile, ...rest } = options;
  const child = spawn(process.execPath, [program, ...args], {
    ...rest,
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      // A third of the time that a process takes to start.
      NODE_COMPILE_CACHE: join(tmpdir(), 'motorpool-test-compile-cache'),
      ...env,
    },
    stdio: 'pipe',
  });
  // A command that does not read its input may exit before it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  return {
    pid: child.pid ?? 0,
    stdout,
    stderr,
    kill: (signal = 'SIGTERM') => void child.kill(signal),
    ended: endOf(child).then((end) => ({ ...end, stdout: stdout(), stderr: stderr() })),
  };
}

async function endOf(child: ChildProcess): Promise<Pick<Ended, 'code' | 'signal'>> {
  const [code, signal] = await once(child, 'close');
  return { code, signal };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString('utf8');
}

/** The pid of the PostgreSQL that runs on a data folder, if one does. */
export function postgresOf(dataDir: string): number | undefined {
  try {
    const lock = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
    const pid = Number(lock.split('\n', 1)[0]);
    process.kill(pid, 0);
    const isOther =
      process.platform === 'linux' &&
      readlinkSync(`/proc/${pid}/cwd`) !== join(dataDir, 'postgres');
    return isOther ? undefined : pid;
  } catch {
    return undefined;
  }
}

async function endPostgres(dataDir: string): Promise<void> {
  const pid = postgresOf(dataDir);
  if (pid === undefined) return;
  process.kill(pid, 'SIGQUIT');
  while (postgresOf(dataDir) !== undefined) await sleep(20);
}
