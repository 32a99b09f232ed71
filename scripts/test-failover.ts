import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  freePort,
  lockSeconds,
  type PatroniPair,
  startPatroniPair,
} from './failover/patroni-pair.ts';

/**
 * Kills the primary of a pair of PostgreSQL servers under Patroni while writers write, and fails if a write that was
 * acknowledged is lost, or if writes do not resume in time. Usage: npm run test:failover [-- ROUNDS]
 */

const rounds = Number(process.argv[2] ?? 3);
const writers = 8;
const startMs = 60_000;
const beforeKillMs = 10_000;
const afterResumeMs = 5_000;
const limitSeconds = 30;
const motorpool = fileURLToPath(new URL('../server/bin/motorpool.js', import.meta.url));
const data = mkdtempSync(join(tmpdir(), 'motorpool-failover-data-'));

type Acknowledged = { id: string; sentAt: number; at: number };
type Figures = {
  round: number;
  acknowledged: number;
  refused: number;
  lost: number;
  resumedAfterSeconds: number;
};

const pair = await startPatroniPair();
try {
  await pair.untilSynchronous();
  const service = await startService(pair);
  try {
    const figures: Figures[] = [];
    for (let round = 1; round <= rounds; round++) {
      figures.push(await killPrimary(pair, service, round));
      console.table(figures.slice(-1));
    }
    report(figures);
  } finally {
    await service.stop();
  }
} finally {
  await pair.stop();
  rmSync(data, { recursive: true, force: true });
}

async function killPrimary(
  { untilSynchronous, kill, restart, superuserUrl }: PatroniPair,
  service: Service,
  round: number,
): Promise<Figures> {
  const primary = await untilSynchronous();
  const ledger: Acknowledged[] = [];
  let refused = 0;
  let isWriting = true;
  const write = async (writer: number) => {
    for (let count = 0; isWriting; count++) {
      const id = `DE*ABC*R${round}W${writer}N${count}`;
      const sentAt = performance.now();
      const status = await service.createVehicle(id);
      if (status === 201) ledger.push({ id, sentAt, at: performance.now() });
      else refused += 1;
      // A client waits before it tries again.
      if (status !== 201) await wait(200);
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  for (const deadline = Date.now() + startMs; ledger.length === 0; await wait(100))
    if (Date.now() > deadline) throw new Error('Nothing can be written.');
  await wait(beforeKillMs);
  kill(primary);
  const killedAt = performance.now();
  // An answer that was on its way is not a resumption.
  const resumed = () => ledger.find(({ sentAt }) => sentAt > killedAt);
  while (!resumed() && performance.now() < killedAt + 120_000) await wait(50);
  await wait(afterResumeMs);
  isWriting = false;
  await writing;
  const stored = new Set(
    query(superuserUrl, `select id from vehicles where id like 'DE*ABC*R${round}W%'`),
  );
  const lost = ledger.filter(({ id }) => !stored.has(id));
  const resumedAt = resumed()?.at ?? Number.POSITIVE_INFINITY;
  restart(primary);
  return {
    round,
    acknowledged: ledger.length,
    refused,
    lost: lost.length,
    resumedAfterSeconds: Math.round((resumedAt - killedAt) / 100) / 10,
  };
}

function report(figures: Figures[]): void {
  const acknowledged = figures.reduce((sum, one) => sum + one.acknowledged, 0);
  const lost = figures.reduce((sum, one) => sum + one.lost, 0);
  const slowest = Math.max(...figures.map((one) => one.resumedAfterSeconds));
  console.log(
    `${figures.length} failovers: ${acknowledged} writes acknowledged, ${lost} lost; ` +
      `writes resumed after ${slowest} s at most (limit ${limitSeconds} s, lock of the primary ${lockSeconds} s).`,
  );
  if (lost > 0 || slowest > limitSeconds) process.exitCode = 1;
}

type Service = {
  /** The status of the answer, or 0 without one. */
  createVehicle(id: string): Promise<number>;
  stop(): Promise<void>;
};

async function startService({ hosts, superuserUrl }: PatroniPair): Promise<Service> {
  query(superuserUrl, `create role fleet_owner login password 'failover-test'`);
  query(superuserUrl, `create role fleet login password 'failover-test'`);
  query(superuserUrl, 'create database fleet owner fleet_owner');
  const urlOf = (role: string) =>
    `postgres://${role}:failover-test@${hosts}/fleet?target_session_attrs=read-write`;
  const port = await freePort();
  const env = {
    ...process.env,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: data,
    DATABASE_URL: urlOf('fleet'),
    DATABASE_OWNER_URL: urlOf('fleet_owner'),
    LIMIT_CLIENT_RATE: '0',
    LIMIT_PROVIDER_RATE: '0',
  };
  const command = (...args: string[]) =>
    execFileSync(process.execPath, [motorpool, ...args], { env, encoding: 'utf8' });
  command('provider', 'add', 'DE', 'ABC', '--name', 'Failover');
  const client = JSON.parse(
    command('client', 'add', 'DE', 'ABC', '--name', 'writer', '--json'),
  ) as Credentials;
  const serving = spawn(process.execPath, [motorpool, 'serve'], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stopped = new Promise((resolve) => serving.once('exit', resolve));
  const url = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${url}/health/ready`).catch(() => undefined))?.ok) {
    if (serving.exitCode !== null) throw new Error('The service did not start.');
    await wait(200);
  }
  const token = tokenSource(url, client);
  return {
    async createVehicle(id) {
      try {
        const response = await fetch(`${url}/api/fleets/v1/DE/ABC/${id}`, {
          method: 'PUT',
          headers: {
            authorization: `Bearer ${await token()}`,
            'content-type': 'application/json',
            'if-none-match': '*',
          },
          body: JSON.stringify({ information: { licensePlate: id } }),
          signal: AbortSignal.timeout(20_000),
        });
        await response.arrayBuffer();
        return response.status;
      } catch {
        return 0;
      }
    },
    async stop() {
      serving.kill();
      await stopped;
    },
  };
}

type Credentials = { clientId: string; clientSecret: string };

/** A token that is renewed before it expires. */
function tokenSource(url: string, { clientId, clientSecret }: Credentials) {
  let token = '';
  let validUntil = 0;
  return async () => {
    if (performance.now() < validUntil) return token;
    const response = await fetch(`${url}/realms/DE-ABC/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: clientSecret,
      }),
    });
    if (!response.ok) throw new Error(`No token: ${response.status}`);
    const issued = (await response.json()) as { access_token: string; expires_in: number };
    token = issued.access_token;
    validUntil = performance.now() + (issued.expires_in * 1_000) / 2;
    return token;
  };
}

/** The first column of the rows, read with psql where writes are taken. */
function query(url: string, statement: string): string[] {
  const database = /vehicles/.test(statement) ? 'fleet' : 'postgres';
  const target = url.replace('/postgres?', `/${database}?`);
  return execFileSync('psql', [target, '-qAtX', '-v', 'ON_ERROR_STOP=1', '-c', statement], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  }).split('\n');
}
