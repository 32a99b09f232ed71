import { spawn } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDemo } from './start-demo.ts';

/** Generates clients from the document of a demo that it starts, compiles them, and runs each against it. */

const folder = fileURLToPath(new URL('../generated-clients/', import.meta.url));
const generators = ['openapi-typescript', 'hey-api', 'orval', 'kubb'];

const demo = await startDemo();
try {
  await run('npm', ['ci', '--ignore-scripts']);
  await writeDocument();
  for (const generator of generators) await run('npm', ['run', `generate:${generator}`]);
  await run('npm', ['run', 'compile']);
  await run('npm', ['run', 'bundle']);
  const results: Record<string, string> = {};
  for (const generator of generators) {
    const bundle = join('.generated', 'bundles', `${generator}.mjs`);
    const failure = await run(process.execPath, [bundle]).catch((error: Error) => error);
    results[generator] = failure ? failure.message : 'token, searches, update and file work';
    if (failure) process.exitCode = 1;
  }
  console.table(results);
} finally {
  await demo.stop();
}

async function writeDocument(): Promise<void> {
  const generated = join(folder, '.generated');
  await rm(generated, { recursive: true, force: true });
  await mkdir(generated);
  const response = await fetch(`${demo.url}/openapi.json`);
  await writeFile(join(generated, 'openapi.json'), await response.text());
}

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, MOTORPOOL_URL: demo.url },
    stdio: 'inherit',
  });
  const code = await new Promise((resolve, reject) => {
    child.once('exit', resolve);
    child.once('error', reject);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
