import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { run } from '../main.ts';

type Options = { env?: Record<string, string>; input?: string };
type Ended = { code: number; stdout: string; stderr: string };

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process: as the program does, without the cost of starting it. For what a command does; how the
 * program starts and ends is tested with the real one (sandbox.ts).
 */
export function runCommand(args: readonly string[], options: Options = {}): Promise<Ended> {
  // One at a time, as they share the environment and the streams of the process.
  const ended = last.then(() => runAlone(args, options));
  last = ended.catch(() => {});
  return ended;
}

async function runAlone(args: readonly string[], { env, input = '' }: Options): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const printed = Promise.all([text(stdout), text(stderr)]);
  const restore = replaceProperties({
    env: { ...env },
    stdin: Readable.from([input]),
    stdout,
    stderr,
  });
  const { exitCode } = process;
  process.exitCode = undefined;
  let code: number;
  try {
    await run(['node', 'motorpool', ...args]);
    code = Number(process.exitCode ?? 0);
  } finally {
    process.exitCode = exitCode;
    restore();
    stdout.end();
    stderr.end();
  }
  const [out, err] = await printed;
  return { code, stdout: out, stderr: err };
}

/** Replaces properties of the process until they are restored. */
function replaceProperties(replaced: Record<string, unknown>): () => void {
  const names = Object.keys(replaced);
  const original = names.map((name) => Object.getOwnPropertyDescriptor(process, name));
  for (const name of names) {
    Object.defineProperty(process, name, {
      value: replaced[name],
      configurable: true,
      writable: true,
    });
  }
  return () => {
    for (const [index, name] of names.entries())
      Object.defineProperty(process, name, original[index] ?? {});
  };
}
