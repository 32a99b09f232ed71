import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { processesIn } from '../server/src/testing/processes.ts';

/** Packs the server and its client, installs both in an empty folder, and uses the demo that starts there. */

const root = join(import.meta.dirname, '..');
const startMs = 600_000;
const stopMs = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'motorpool-package-'));
const [packed, installed] = [join(folder, 'packed'), join(folder, 'installed')];
// Nothing that npm has set for this repository, and of its programs Node alone.
const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
const folders = process.env.PATH?.split(delimiter).filter((path) => !path.includes('node_modules'));
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(inherited),
  PATH: [dirname(process.execPath), ...(folders ?? [])].join(delimiter),
};

try {
  for (const path of [packed, installed]) mkdirSync(path);
  const workspaces = ['--workspace', 'server', '--workspace', 'client'];
  run('npm', ['pack', '--silent', ...workspaces, '--pack-destination', packed], root, process.env);
  const tarballs = globSync('*.tgz', { cwd: packed }).map((name) => join(packed, name));
  run(join(root, 'node_modules/.bin/publint'), [String(tarballs.find(isServer)), '--strict'], root);
  // npm may block install scripts: it has to work without them.
  run('npm', ['install', '--ignore-scripts', '--no-audit', ...tarballs], installed);
  report('motorpool --version', run('npx', ['motorpool', '--version'], installed));
  await useDemo();
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

async function useDemo(): Promise<void> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const demo = spawn('npx', ['motorpool'], {
    cwd: installed,
    env: { ...env, HOST: '127.0.0.1', PORT: port, DATA_DIR: join(installed, 'data') },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exit = once(demo, 'exit');
  try {
    report('GET /health', await answer(`${url}/health`, () => demo.exitCode !== null));
    report('token, search', await searchVehicles(url));
    writeFileSync(join(installed, 'list.mjs'), listing(url));
    report('@motorpool/client', run('node', ['list.mjs'], installed));
  } finally {
    demo.kill('SIGTERM');
  }
  const [code, signal] = await exit;
  report('npx, after SIGTERM', `ended with ${signal ?? code}`);
  const left = await leftProcesses();
  report('processes left', String(left.length));
  if (left.length > 0) throw new Error(`Still there: ${left.join('\n')}`);
}

/** The answer of the demo, once it has started. */
async function answer(address: string, ended: () => boolean): Promise<string> {
  for (const deadline = Date.now() + startMs; Date.now() < deadline; await wait(200)) {
    if (ended()) break;
    const response = await fetch(address).catch(() => undefined);
    if (response?.ok) return response.text();
  }
  throw new Error('The demo did not start.');
}

async function searchVehicles(url: string): Promise<string> {
  const issued = await fetch(`${url}/realms/DE-ABC/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'demo-client',
      client_secret: 'demo-secret',
    }),
  });
  const { access_token: token } = (await issued.json()) as { access_token: string };
  const found = await fetch(`${url}/api/fleets/v1/DE/ABC/vehicles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ searchText: 'golf' }),
  });
  if (!found.ok) throw new Error(`The search answered ${found.status}: ${await found.text()}`);
  const { pagination } = (await found.json()) as { pagination: { totalEntries: number } };
  return `${pagination.totalEntries} vehicles named golf`;
}

function listing(baseUrl: string): string {
  const options = {
    baseUrl,
    provider: 'DE/ABC',
    clientId: 'demo-client',
    clientSecret: 'demo-secret',
  };
  return `import { Motorpool } from '@motorpool/client';
const fleet = new Motorpool(${JSON.stringify(options)});
const vehicles = await Array.fromAsync(fleet.vehicles.find());
console.log(vehicles.length + ' vehicles');
`;
}

/** The service stops after npx has ended. */
async function leftProcesses(): Promise<string[]> {
  for (const deadline = Date.now() + stopMs; ; await wait(200)) {
    const left = processesIn(folder).map(({ pid, title }) => `${pid} ${title}`);
    if (left.length === 0 || Date.now() > deadline) return left;
  }
}

function isServer(tarball: string): boolean {
  return !tarball.includes('client');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (typeof address !== 'object' || !address) throw new Error('no port is free');
  return address.port;
}

function run(command: string, args: string[], cwd: string, environment: NodeJS.ProcessEnv = env) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: environment,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`);
  return stdout.trim();
}

function report(what: string, seen: string): void {
  process.stdout.write(`${what.padEnd(20)} ${seen}\n`);
}
