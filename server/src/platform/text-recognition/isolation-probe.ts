import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Run by the test of the isolation in place of the process that reads: tells what it could do. */

const address = process.argv[2] ?? '';
const { port } = new URL(address);

const attempts: Record<string, () => unknown> = {
  fetch: () => fetch(address),
  connect: () => connect(Number(port), '127.0.0.1'),
  'fetch in a thread': () =>
    new Promise((resolve, reject) => {
      const thread = new Worker(`fetch(${JSON.stringify(address)})`, { eval: true });
      thread.on('exit', resolve);
      thread.on('error', reject);
    }),
  write: () => writeFileSync(`${tmpdir()}/motorpool-probe`, ''),
  'read elsewhere': () => readFileSync('/etc/hostname'),
  'start a program': () => execFileSync(process.execPath, ['--version']),
};

const possible: string[] = [];
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    possible.push(name);
  } catch {
    // Refused, as it should be.
  }
}
process.stdout.write(JSON.stringify({ possible, environment: Object.keys(process.env) }));
