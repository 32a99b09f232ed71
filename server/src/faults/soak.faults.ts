import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../testing/http-client.ts';
import { createServed, type Served } from '../testing/serve.ts';
import { mebibytes, recordFigure } from './figures.ts';
import { figureOf, type Ledger, openLedger } from './ledger.ts';
import { residentBytes } from './resident-bytes.ts';
import { withoutLimits } from './without-limits.ts';

const minutes = Number(process.env.SOAK_MINUTES ?? 30);
const sampleMs = 1_000;

let served: Served;
let ledger: Ledger;
beforeAll(async () => {
  served = await createServed();
  ledger = await openLedger(served.db);
});
afterAll(() => served.close());

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test(`${minutes} minutes of writes of every kind: no request fails, and the memory stays flat`, {
  timeout: minutes * 60_000 + 600_000,
}, async () => {
  const service = await served.start(withoutLimits);
  const client = ledger.connect(service.url);
  const writers = await ledger.startWriters(client, 20);
  const samples: number[] = [];
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    await sleep(sampleMs);
    samples.push(residentBytes(service.pid));
    expect((await send(service.url, { path: '/health/ready' })).status).toBe(200);
  }
  await writers.stop();
  await ledger.check('all');
  expect(ledger.counts.refused, ledger.counts.lastRefusal).toBe(0);
  expect(ledger.counts.cutShort).toBe(0);
  // Caches are filled and code is compiled in the first half.
  const half = Math.floor(samples.length / 2);
  const quarter = Math.floor(samples.length / 4);
  const [before, after] = [
    median(samples.slice(half, half + quarter)),
    median(samples.slice(-quarter)),
  ];
  expect(after).toBeLessThan(before * 1.1);
  client.close();
  service.kill();
  expect((await service.ended).code).toBe(0);
  recordFigure(
    'soak',
    `${minutes} min; ${figureOf(ledger.counts)}; memory ${mebibytes(before)} in the third quarter, ${mebibytes(after)} in the last`,
  );
});
