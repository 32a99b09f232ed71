import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns';
import { resolve4 } from 'node:dns/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { setPriority, tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Run by the test of the isolation: tells what it could do. */

const address = process.argv[2] ?? '';
const { port } = new URL(address);

const attempts: Record<string, () => unknown> = {
  fetch: () => fetch(address),
  connect: () => connect(Number(port), '127.0.0.1'),
  'send a datagram': () => createSocket('udp4').send('x', Number(port), '127.0.0.1'),
  'look up a name': () => lookup('localhost', () => {}),
  'resolve a name': () => resolve4('localhost'),
  listen: () => createServer().listen(0, '127.0.0.1'),
  'fetch in a thread': () =>
    new Promise((resolve, reject) => {
      const thread = new Worker(`fetch(${JSON.stringify(address)})`, { eval: true });
      thread.on('exit', resolve);
      thread.on('error', reject);
    }),
  write: () => writeFileSync(`${tmpdir()}/motorpool-probe`, ''),
  'write a database': async () => {
    const { DatabaseSync } = await import('node:sqlite');
    new DatabaseSync(':memory:').exec(`attach '${tmpdir()}/motorpool-probe.db' as written`);
  },
  'signal the service': () => process.kill(process.ppid, 0),
  'debug the service': () =>
    (process as unknown as { _debugProcess(pid: number): void })._debugProcess(process.ppid),
  'give the service another priority': () => setPriority(process.ppid, 19),
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
