import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CuttableProxy, cuttableProxy } from '../testing/cuttable-proxy.ts';
import { send } from '../testing/http-client.ts';
import { createServed, type Served } from '../testing/serve.ts';
import { urlOf } from '../testing/test-database.ts';
import { recordFigure, seconds } from './figures.ts';
import { figureOf, type Ledger, openLedger } from './ledger.ts';
import { recovery, resetCounts, slowestAnswerMs, watchAnswers } from './recovery.ts';
import { withoutLimits } from './without-limits.ts';

/** The network between the service and PostgreSQL: docs/decisions/0056-availability.md. */

const outageMs = 20_000;

let served: Served;
let ledger: Ledger;
let proxy: CuttableProxy;
let service: Awaited<ReturnType<Served['start']>>;
beforeAll(async () => {
  served = await createServed();
  ledger = await openLedger(served.db);
  proxy = await cuttableProxy(served.connection);
  service = await served.start({ ...withoutLimits, DATABASE_URL: urlOf(proxy.connection) });
});
afterAll(async () => {
  await served.close();
  await proxy.cut();
});

async function underWriters(fault: () => Promise<void>): Promise<{ pauseMs: number }> {
  resetCounts(ledger);
  const client = ledger.connect(service.url);
  const writers = await ledger.startWriters(client);
  await sleep(1_000);
  await fault();
  const pauseMs = await recovery(ledger);
  await writers.stop();
  await ledger.check('new');
  await ledger.sendAgain(client);
  await ledger.check('all');
  client.close();
  return { pauseMs };
}

async function outage(begin: () => unknown, end: () => unknown): Promise<number> {
  await begin();
  ledger.resetSlowest();
  const ready = async () => (await send(service.url, { path: '/health/ready' })).status;
  try {
    const { slowestMs, of } = await watchAnswers(outageMs, ready);
    expect(of(503)).toBeGreaterThan(0);
    return Math.max(slowestMs, ledger.counts.slowestMs);
  } finally {
    await end();
  }
}

test('ten cuts in a row: nothing acknowledged is lost, nothing is half written', async () => {
  const { pauseMs } = await underWriters(async () => {
    for (let cuts = 0; cuts < 10; cuts += 1) {
      await proxy.cut();
      await sleep(300);
      await proxy.restore();
      await sleep(700);
    }
  });
  recordFigure(
    'network cut, 10 times',
    `${figureOf(ledger.counts)}; writes resumed after ${seconds(pauseMs)}`,
  );
});

test.for([
  ['network that drops packets', () => proxy.freeze()],
  ['network that drops answers of PostgreSQL', () => proxy.muteServer()],
] as const)(
  '%s: every request has its answer, nothing acknowledged is lost, nothing is half written',
  async ([fault, begin]) => {
    let slowest = 0;
    const { pauseMs } = await underWriters(async () => {
      slowest = await outage(begin, () => proxy.thaw());
    });
    recordFigure(
      fault,
      `for ${seconds(outageMs)}; slowest answer ${seconds(slowest)}; ${figureOf(ledger.counts)}; writes resumed after ${seconds(pauseMs)}`,
    );
    expect(slowest).toBeLessThan(slowestAnswerMs);
  },
);

test('a PostgreSQL that is 20 ms away in each direction: no request fails', async () => {
  proxy.delay(20);
  await proxy.cut();
  await proxy.restore();
  await expect
    .poll(async () => (await send(service.url, { path: '/health/ready' })).status)
    .toBe(200);
  await underWriters(() => sleep(10_000));
  expect(ledger.counts.refused, ledger.counts.lastRefusal).toBe(0);
  recordFigure(
    'network with latency',
    `${figureOf(ledger.counts)}; slowest answer ${seconds(ledger.counts.slowestMs)}`,
  );
});
