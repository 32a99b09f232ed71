import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../testing/http-client.ts';
import { processesIn } from '../testing/processes.ts';
import { createEmbeddedService, type EmbeddedService } from './embedded-service.ts';
import { recordFigure, seconds } from './figures.ts';
import { figureOf } from './ledger.ts';
import { recovery, resetCounts, slowestAnswerMs, watchAnswers } from './recovery.ts';

/** The service stays up while something happens to its PostgreSQL: docs/decisions/0056-availability.md. */

const kills = Number(process.env.POSTGRES_KILLS ?? 20);
const frozenMs = Number(process.env.FREEZE_SECONDS ?? 60) * 1_000;

let embedded: EmbeddedService;
let service: Awaited<ReturnType<EmbeddedService['start']>>;
beforeAll(async () => {
  embedded = await createEmbeddedService();
  service = await embedded.start();
});
afterAll(() => embedded.close());

/** Does something to PostgreSQL, under writers, a number of times. */
async function underWriters(times: number, fault: () => Promise<void>) {
  const { ledger } = embedded;
  resetCounts(ledger);
  const client = ledger.connect(service.url);
  const writers = await ledger.startWriters(client);
  const pauses: number[] = [];
  for (let round = 0; round < times; round += 1) {
    await sleep(randomInt(500, 2_000));
    await fault();
    pauses.push(await recovery(ledger));
  }
  await writers.stop();
  await ledger.check('new');
  await ledger.sendAgain(client);
  await ledger.check('all');
  client.close();
  return { pauses, figure: figureOf(ledger.counts) };
}

test(`${kills} × kill -9 of PostgreSQL under writers: nothing acknowledged is lost, nothing is half written, and the service brings it back`, {
  timeout: 600_000 + kills * 120_000,
}, async () => {
  const { pauses, figure } = await underWriters(kills, async () => {
    process.kill(embedded.postgres(), 'SIGKILL');
  });
  recordFigure(
    'PostgreSQL killed',
    `${figure}; writes resumed after ${seconds(Math.max(...pauses))} at most`,
  );
});

test('a killed session of PostgreSQL, which then restarts all of them: nothing acknowledged is lost, nothing is half written', {
  timeout: 1_800_000,
}, async () => {
  const { pauses, figure } = await underWriters(5, async () => {
    const backend = processesIn(embedded.dataDir).find(({ title }) =>
      /motorpool_service .*(COMMIT|INSERT|UPDATE|idle)/.test(title),
    );
    if (!backend) throw new Error('The service has no session.');
    process.kill(backend.pid, 'SIGKILL');
  });
  recordFigure(
    'session of PostgreSQL killed',
    `5 times; ${figure}; writes resumed after ${seconds(Math.max(...pauses))} at most`,
  );
});

test('all its connections terminated: nothing acknowledged is lost, nothing is half written, and the next requests have new ones', {
  timeout: 1_800_000,
}, async () => {
  const { pauses, figure } = await underWriters(10, async () => {
    await embedded.db.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usename = current_user`,
    );
  });
  recordFigure(
    'connections terminated',
    `10 times; ${figure}; writes resumed after ${seconds(Math.max(...pauses))} at most`,
  );
});

test('a PostgreSQL that is frozen: every request has its answer, also the first after a silence, and the service goes on by itself', {
  timeout: 1_800_000 + frozenMs,
}, async () => {
  let frozen: number[] = [];
  let slowest = 0;
  const thaw = () => {
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    frozen = [];
  };
  try {
    const { pauses, figure } = await underWriters(1, async () => {
      frozen = processesIn(embedded.dataDir).map(({ pid }) => pid);
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
      const { ledger } = embedded;
      ledger.counts.slowestMs = 0;
      const statuses = await watchAnswers(frozenMs, async () => {
        const { status } = await send(service.url, { path: '/health/ready' });
        return status;
      });
      slowest = Math.max(ledger.counts.slowestMs, statuses.slowestMs);
      expect(statuses.of(503)).toBeGreaterThan(0);
      expect((await send(service.url, { path: '/health/live' })).status).toBe(200);
      thaw();
    });
    recordFigure(
      'PostgreSQL frozen',
      `for ${seconds(frozenMs)}; slowest answer ${seconds(slowest)}; ${figure}; writes resumed after ${seconds(Math.max(...pauses))}`,
    );
    expect(slowest).toBeLessThan(slowestAnswerMs);
  } finally {
    thaw();
  }
});
