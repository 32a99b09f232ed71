import { spawnSync } from 'node:child_process';

/** Runs npm in this repository; returns what it printed as JSON, if it did. */
export function runNpm(...args: string[]): {
  status: number | null;
  json: unknown;
  stderr: string;
} {
  const { status, stdout, stderr } = spawnSync('npm', args, {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
    maxBuffer: 100 * 1024 * 1024,
  });
  try {
    return { status, json: JSON.parse(stdout), stderr };
  } catch {
    return { status, json: undefined, stderr };
  }
}
