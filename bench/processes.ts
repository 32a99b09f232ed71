import {
  type ChildProcess,
  type ExecFileOptions,
  execFile,
  fork,
  type SpawnOptions,
  spawn,
} from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export const root = join(import.meta.dirname, '..');
const motorpoolProgram = join(root, 'server/bin/motorpool.js');
const startTimeoutMs = 60_000;

type Environment = Record<string, string>;
export type Server = { pid: number; ready: string; stop(): Promise<void> };

const running = new Set<ChildProcess>();
let stopping = false;

/** Stops all processes, and refuses to start more. */
export async function stopAll(): Promise<void> {
  stopping = true;
  await Promise.all([...running].map(stop));
}

function track<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

function requireRunning(): void {
  if (stopping) throw new Error('The bench was stopped.');
}

/** Without the settings of the caller's environment. */
function environment(env: Environment): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, ...env };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

/** Runs a program to its end; returns its output. */
export async function run(
  program: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<string> {
  requireRunning();
  const running = promisify(execFile)(program, args, options);
  track(running.child);
  return String((await running).stdout);
}

/** Runs a command of the service. */
export async function motorpool(args: readonly string[], env: Environment): Promise<string> {
  return run(process.execPath, [motorpoolProgram, ...args], { env: environment(env) });
}

/** Starts the service with its log in a file, as in production. */
export function startMotorpool(env: Environment, logFile: string): Promise<Server> {
  return startServer([motorpoolProgram, 'serve'], env, logFile, /"url":"([^"]+)"/);
}

/**
 * Starts a server whose output goes directly to a file, and waits until the output matches `ready`; returns the first
 * group.
 */
export async function startServer(
  args: readonly string[],
  env: Environment,
  logFile: string,
  ready: RegExp,
): Promise<Server> {
  requireRunning();
  await mkdir(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  const options: SpawnOptions = { env: environment(env), stdio: ['ignore', log, log] };
  const child = track(spawn(process.execPath, args, options));
  closeSync(log);
  for (const deadline = Date.now() + startTimeoutMs; Date.now() < deadline; await sleep(20)) {
    const match = ready.exec(await readFile(logFile, 'utf8'))?.[1];
    if (match !== undefined && child.pid !== undefined) {
      return { pid: child.pid, ready: match, stop: () => stop(child) };
    }
    if (child.exitCode !== null) break;
  }
  const end = (await readFile(logFile, 'utf8')).slice(-2_000);
  throw new Error(`${args.join(' ')} did not start:\n${end}`);
}

type Report<Result> = { begun: true } | { result: Result };

/** A program of the bench in a separate process, which executes one job after the other. */
export function startTask<Job extends object, Result>(program: string) {
  requireRunning();
  const options = { execArgv: [], serialization: 'advanced' as const };
  const child = track(fork(join(import.meta.dirname, program), options));
  return {
    pid: child.pid as number,
    /** Calls `onBegin` when the preparations are over. */
    async execute(job: Job, onBegin?: () => void): Promise<Result> {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const onExit = () => reject(new Error(`${program} ended without a result.`));
      const onMessage = (message: unknown) => {
        const report = message as Report<Result>;
        if ('begun' in report) onBegin?.();
        else resolve(report.result);
      };
      child.on('exit', onExit).on('message', onMessage);
      child.send(job);
      try {
        return await promise;
      } finally {
        child.off('exit', onExit).off('message', onMessage);
      }
    },
    stop: () => stop(child),
  };
}

/** The other side of `startTask`. */
export function serveTask<Job, Result>(
  work: (job: Job, begin: () => void) => Promise<Result>,
): void {
  const send = (report: Report<Result>) => process.send?.(report);
  process.on('message', async (job) => {
    send({ result: await work(job as Job, () => send({ begun: true })) });
  });
}
