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

/** Five times as many requests as can be answered, of ten providers over kept connections: docs/decisions/0064-overload.md. */

const providers = 10;
const durationMs = 15_000;
const times = 5;

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
  // No limits for each: those of the whole service are the subject.
  ({ url } = await served.start({
    LIMIT_CLIENT_RATE: '0',
    LIMIT_CLIENT_CONCURRENCY: '0',
    LIMIT_PROVIDER_RATE: '0',
    LIMIT_PROVIDER_CONCURRENCY: '0',
  }));
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
  let best = 0;
  await load(100);
  for (let rate = 100; ; rate *= 1.5) {
    const result = await load(rate);
    print(`${rate.toFixed(0)} a second`, result);
    const goodput = perSecondOf(answered(result));
    if (goodput < rate * 0.9) return Math.max(best, goodput);
    best = Math.max(best, goodput);
  }
}

test('at five times its capacity the service answers nearly as many requests, and refuses the others at once', async () => {
  const capacity = await findCapacity();
  const checks: number[] = [];
  let isLoading = true;
  const watching = (async () => {
    while (isLoading) {
      const startedAt = performance.now();
      const { status } = await send(url, { path: '/health/ready' });
      expect(status).toBe(200);
      checks.push(Math.round(performance.now() - startedAt));
      await sleep(100);
    }
  })();
  const result = await load(capacity * times);
  isLoading = false;
  await watching;
  print(`${times} times the capacity of ${capacity.toFixed(0)}`, result);
  console.log(
    `  health meanwhile: p50 ${percentile(checks, 0.5)}, p99 ${percentile(checks, 0.99)} ms`,
  );
  recordFigure(
    'overload',
    `${times} times the capacity of ${capacity.toFixed(0)}/s: ${perSecondOf(answered(result)).toFixed(0)}/s answered, refusals p99 ${percentile(refused(result), 0.99)} ms`,
  );
  expect(Object.keys(result.tookMs)).not.toContain('0');
  expect(answered(result).length + refused(result).length).toBe(result.sent);
  expect(perSecondOf(answered(result))).toBeGreaterThanOrEqual(capacity * 0.9);
  expect(percentile(refused(result), 0.99)).toBeLessThanOrEqual(100);
});
