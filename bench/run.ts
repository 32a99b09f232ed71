import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import autocannon from 'autocannon';
import { makeVehicleFile } from './vehicle-file.ts';

/** Measures the service as shipped against a bare node:http in the same run, and prints ratios. */

const { values } = parseArgs({
  options: {
    vehicles: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '32' },
  },
});
const [vehicles, seconds, connections] = [values.vehicles, values.seconds, values.connections].map(
  Number,
);

const root = new URL('../', import.meta.url).pathname;
const program = join(root, 'server/bin/motorpool.js');
const folder = await mkdtemp(join(tmpdir(), 'motorpool-bench-'));
const env = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'info' };
const motorpool = async (...args: string[]) =>
  (await promisify(execFile)(process.execPath, [program, ...args], { env })).stdout;
const children: ChildProcess[] = [];

try {
  await run();
} finally {
  for (const child of children) {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
}

async function run(): Promise<void> {
  await motorpool('provider', 'add', 'DE', 'BNC', '--name', 'Bench');
  const client = JSON.parse(
    await motorpool('client', 'add', 'DE', 'BNC', '--name', 'bench', '--json'),
  );
  const file = join(folder, 'vehicles.csv');
  await makeVehicleFile(file, vehicles ?? 0, 'DE*BNC*');
  const began = performance.now();
  await motorpool('import', 'vehicles', 'DE', 'BNC', file);
  const importSeconds = (performance.now() - began) / 1_000;

  const service = await startService();
  const limit = await startLimit();
  const form = `grant_type=client_credentials&client_id=${client.clientId}&client_secret=${client.clientSecret}`;
  const token = {
    url: `${service}/realms/DE-BNC/protocol/openid-connect/token`,
    method: 'POST' as const,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
  };
  const { access_token } = (await (await fetch(token.url, token)).json()) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const base = `${service}/api/fleets/v1/DE/BNC`;
  const search = (body: object) => ({
    url: `${base}/vehicles`,
    method: 'POST' as const,
    headers,
    body: JSON.stringify(body),
  });
  const requests = {
    'token request': token,
    'read a vehicle': { url: `${base}/DE*BNC*0000042`, method: 'GET' as const, headers },
    'find: first 25': search({ pagination: { pageSize: 25 } }),
    'find: first 100': search({}),
    'find: rare text, 25': search({ searchText: '0000042', pagination: { pageSize: 25 } }),
    'find: common text, 25': search({ searchText: 'golf', pagination: { pageSize: 25 } }),
    'find: by odometer, 25': search({
      sorting: [{ field: 'status.odometer', direction: 'desc' }],
      pagination: { pageSize: 25 },
    }),
  };

  const rows: Record<string, unknown>[] = [];
  for (const [name, request] of Object.entries(requests)) {
    const size = Buffer.byteLength(await (await fetch(request.url, request)).text());
    const ours = await load(request);
    const plain = await load({ ...request, url: `${limit}/${size}`, headers: {} });
    rows.push({
      request: name,
      'answers/s': Math.round(ours.perSecond),
      'p50 ms': ours.p50,
      'p99 ms': ours.p99,
      'bare node:http/s': Math.round(plain.perSecond),
      'ratio to it': Number((ours.perSecond / plain.perSecond).toFixed(3)),
    });
  }
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${vehicles} vehicles, ${connections} connections, ${seconds} s a line\n`,
  );
  process.stdout.write(`import: ${Math.round((vehicles ?? 0) / importSeconds)} vehicles/s\n`);
  console.table(rows);
}

type Request = {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
};

async function load(request: Request): Promise<{ perSecond: number; p50: number; p99: number }> {
  const options = { ...request, connections, duration: seconds };
  await autocannon({ ...options, duration: 1 });
  const { requests, latency, non2xx, errors } = await autocannon(options);
  if (non2xx + errors > 0)
    throw new Error(`${request.url}: ${non2xx} answers were no success, ${errors} failed`);
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99 };
}

/** As in production: the log goes to a file. */
async function startService(): Promise<string> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  child.stdout.pipe(createWriteStream(join(folder, 'service.log')));
  for await (const line of createInterface({ input: child.stdout })) {
    const { url } = JSON.parse(line);
    if (url) return url;
  }
  throw new Error('the service did not start');
}

async function startLimit(): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'bench/peers/plain-http.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the limit did not start');
}
