import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClient } from '../auth/clients.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { createServed, type Served } from '../testing/serve.ts';
import { requestToken } from '../testing/test-service.ts';
import { recordFigure } from './figures.ts';
import { type Access, percentile, sampleReads } from './load.ts';

/** One provider at full abuse of a large fleet, and another that reads as usual: docs/decisions/0027-fair-use.md. */

const vehicles = 100_000;
const rounds = 6;
const roundMs = 8_000;
const maxRatio = 2;

let served: Served;
let abuser: Access;
let reader: Access;
let ids: string[];

beforeAll(async () => {
  served = await createServed();
  const { db } = served;
  await makeFleet(db, 'DE', 'ABC', vehicles);
  ids = (await makeFleet(db, 'FR', 'XYZ', 1_000)).map(({ asset }) => asset.id);
  await db.queryUnprepared('analyze vehicles, vehicle_statuses');
  const { url } = await served.start();
  await backgroundWorkEnds();
  // Only now, as tokens are valid for minutes.
  abuser = await accessTo(url, 'DE', 'ABC');
  reader = await accessTo(url, 'FR', 'XYZ');
  await sampleReads(reader, ids, roundMs);
}, 900_000);
afterAll(() => served.close());

async function accessTo(url: string, country: string, code: string): Promise<Access> {
  const realm = `${country}-${code}`;
  const { id, secret = '' } = await addClient(served.db, realm, { name: 'load' });
  const { json } = await requestToken(url, realm, { clientId: id, clientSecret: secret });
  return { url, base: `/api/fleets/v1/${country}/${code}`, token: json.access_token };
}

/** A fleet that has just been made is planned, and its events are put in order, which is not what a usual day is like. */
async function backgroundWorkEnds(): Promise<void> {
  for (let quiet = 0; quiet < 3; await sleep(2_000)) {
    const [left] = await served.db.query<{ count: string }>(
      `select (select count(*) from event_outbox where transaction is null)
         + (select count(*) from pgboss.job where state < 'completed' and start_after <= now()) as count`,
    );
    quiet = Number(left?.count) === 0 ? quiet + 1 : 0;
  }
}

async function underAbuse<Result>(work: () => Promise<Result>): Promise<Result> {
  const program = fileURLToPath(new URL('abuse.ts', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(abuser)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Whoever abuses a service does so from another machine: the cost of sending is not the service's.
  setPriority(child.pid ?? 0, constants.priority.PRIORITY_LOW);
  let answered = '';
  child.stdout.on('data', (chunk) => {
    answered += chunk;
  });
  try {
    // Its queues are full by then.
    await sleep(2_000);
    return await work();
  } finally {
    child.kill();
    await once(child, 'close');
    console.log(`  answers to the abuser by status: ${answered.trim()}`);
    // Until what it has left in the database has ended.
    await sleep(6_000);
  }
}

test('a provider at full abuse at most doubles the p99 of the reads of another', async () => {
  const usual: Awaited<ReturnType<typeof sampleReads>> = [];
  const abused: typeof usual = [];
  // In turns, as other work of the machine would distort one side.
  for (let round = 0; round < rounds; round++) {
    usual.push(...(await sampleReads(reader, ids, roundMs)));
    abused.push(...(await underAbuse(() => sampleReads(reader, ids, roundMs))));
  }
  const shown = (samples: typeof usual) =>
    [0.5, 0.95, 0.99, 1].map((part) => percentile(samples, part).toFixed(1).padStart(8)).join('');
  console.log(`  reads of the other provider, ms    p50     p95     p99     max  requests`);
  console.log(`  usual                     ${shown(usual)}  ${usual.length}`);
  console.log(`  under abuse               ${shown(abused)}  ${abused.length}`);
  const ratio = percentile(abused, 0.99) / percentile(usual, 0.99);
  console.log(`  ratio of p99              ${ratio.toFixed(2)} (at most ${maxRatio})`);
  recordFigure(
    'abusive provider',
    `p99 of the reads of another × ${ratio.toFixed(2)}, ${abused.length} reads`,
  );
  expect(abused.filter(({ status }) => status !== 200)).toEqual([]);
  expect(ratio).toBeLessThanOrEqual(maxRatio);
});
