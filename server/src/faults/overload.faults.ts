import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClient } from '../auth/clients.ts';
import { addProvider } from '../auth/providers.ts';
import { send } from '../testing/http-client.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { createServed, type Served } from '../testing/serve.ts';
import { requestToken } from '../testing/test-service.ts';
import { recordFigure } from './figures.ts';
import type { Access } from './load.ts';
import type { LoadResult, OpenLoad } from './open-load.ts';
import { withoutLimits } from './without-limits.ts';

/** Five times as many requests as can be answered, of ten providers over kept connections: docs/decisions/0064-overload.md. */

const providers = 10;
const durationMs = 15_000;
const times = 5;
const rounds = 3;

let served: Served;
let url: string;
const accesses: Access[] = [];
const ids: string[][] = [];

beforeAll(async () => {
  served = await createServed();
  const codes = Array.from({ length: providers }, (_, index) => `LD${index}`);
  for (const code of codes) {
    await served.db.transaction((tx) => addProvider(tx, `FR-${code}`, code));
    ids.push((await makeFleet(served.db, 'FR', code, 2_000)).map(({ asset }) => asset.id));
  }
  await served.db.queryUnprepared('analyze vehicles, vehicle_statuses');
  ({ url } = await served.start(withoutLimits));
  for (const code of codes) {
    const { id, secret = '' } = await addClient(served.db, `FR-${code}`, { name: 'load' });
    const { json } = await requestToken(url, `FR-${code}`, { clientId: id, clientSecret: secret });
    accesses.push({ url, base: `/api/fleets/v1/FR/${code}`, token: json.access_token });
  }
});
afterAll(() => served.close());

async function load(perSecond: number): Promise<LoadResult> {
  const program = fileURLToPath(new URL('open-load.ts', import.meta.url));
  const some = ids.map((own) => own.slice(0, 100));
  const options: OpenLoad = { accesses, ids: some, perSecond, durationMs };
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(output);
}

const answered = ({ tookMs }: LoadResult) => tookMs[200] ?? [];
const refused = ({ tookMs }: LoadResult) => [...(tookMs[503] ?? []), ...(tookMs[429] ?? [])];
const perSecondOf = (times: number[]) => times.length / (durationMs / 1_000);

function percentile(values: number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? 0;
}

function print(name: string, result: LoadResult): void {
  const times = answered(result);
  const figures = Object.entries(result.tookMs).map(
    ([status, ms]) =>
      `${status}: ${ms.length} (p50 ${percentile(ms, 0.5)}, p99 ${percentile(ms, 0.99)} ms)`,
  );
  console.log(
    `  ${name}: ${result.sent} sent, ${perSecondOf(times).toFixed(0)} answered a second; ${figures.join(', ')}`,
  );
}

/** The rate from which on no more are answered; the first load fills caches. */
async function findCapacity(): Promise<number> {
  await load(100);
  for (let rate = 100; ; rate *= 1.5) {
    const result = await load(rate);
    print(`${rate.toFixed(0)} a second`, result);
    if (perSecondOf(answered(result)) < rate * 0.9) return rate;
  }
}

/** Asks for the health all the time; ends with how long the answers took. */
async function watchHealth(during: () => Promise<void>): Promise<number[]> {
  const tookMs: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const startedAt = performance.now();
      const { status } = await send(url, { path: '/health/ready' });
      expect(status).toBe(200);
      tookMs.push(Math.round(performance.now() - startedAt));
      await sleep(100);
    }
  })();
  await during().finally(() => {
    isOver = true;
  });
  await watching;
  return tookMs;
}

test('at five times its capacity the service answers nearly as many requests, and refuses the others at once', async () => {
  const rate = await findCapacity();
  const capacities: number[] = [];
  const goodputs: number[] = [];
  const refusals: number[] = [];
  // In turns, so that a slow period of the machine affects both.
  const health = await watchHealth(async () => {
    for (let round = 1; round <= rounds; round++) {
      const full = await load(rate);
      print(`round ${round}, ${rate.toFixed(0)} a second`, full);
      const capacity = perSecondOf(answered(full));
      const result = await load(capacity * times);
      print(`round ${round}, ${times} times the capacity of ${capacity.toFixed(0)}`, result);
      expect(Object.keys(result.tookMs)).not.toContain('0');
      expect(answered(result).length + refused(result).length).toBe(result.sent);
      capacities.push(capacity);
      goodputs.push(perSecondOf(answered(result)));
      refusals.push(...refused(result));
    }
  });
  const [capacity, goodput] = [percentile(capacities, 0.5), percentile(goodputs, 0.5)];
  const p99 = percentile(refusals, 0.99);
  recordFigure(
    'overload',
    `${times} times the capacity of ${capacity.toFixed(0)}/s, medians of ${rounds}: ${goodput.toFixed(0)}/s answered, refusals p99 ${p99} ms, health p99 ${percentile(health, 0.99)} ms`,
  );
  expect(goodput).toBeGreaterThanOrEqual(capacity * 0.9);
  expect(p99).toBeLessThanOrEqual(100);
});
