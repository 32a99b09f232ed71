import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServed, type Served } from '../testing/serve.ts';
import { recordFigure } from './figures.ts';
import { figureOf, type Ledger, openLedger } from './ledger.ts';
import { withoutLimits } from './without-limits.ts';
import { writeKinds } from './write-kinds.ts';

const kills = Number(process.env.SERVICE_KILLS ?? 50);

let served: Served;
let ledger: Ledger;
beforeAll(async () => {
  served = await createServed();
  ledger = await openLedger(served.db);
});
afterAll(() => served.close());

test(
  `${kills} × kill -9 of the service under ${writeKinds.length} writers, one of each kind of write: nothing acknowledged is lost, nothing is half written, and what is sent again has happened once`,
  async () => {
    let service = await served.start(withoutLimits);
    for (let round = 0; round < kills; round += 1) {
      const client = ledger.connect(service.url);
      await ledger.sendAgain(client);
      const writers = await ledger.startWriters(client);
      await busy(ledger.counts.acknowledged + writeKinds.length);
      await sleep(randomInt(1_000));
      service.kill('SIGKILL');
      await Promise.all([writers.disconnected, service.ended]);
      client.close();
      await transactionsToEnd();
      await ledger.check('new');
      service = await served.start(withoutLimits);
    }
    const client = ledger.connect(service.url);
    await ledger.sendAgain(client);
    client.close();
    await ledger.check('all');
    service.kill();
    expect((await service.ended).code).toBe(0);
    recordFigure('service killed', figureOf(ledger.counts));
  },
  600_000 + kills * 120_000,
);

/** Once so many writes are acknowledged, all kinds of writes are in progress. */
async function busy(acknowledged: number): Promise<void> {
  const patience = { timeout: 300_000, interval: 5 };
  await expect.poll(() => ledger.counts.acknowledged, patience).toBeGreaterThan(acknowledged);
}

/** What the killed service had sent by then may still be executed. */
async function transactionsToEnd(): Promise<void> {
  const busy = () =>
    served.db.query(
      `select 1 from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
       and pid <> pg_backend_pid() and state <> 'idle'`,
    );
  await expect.poll(busy, { timeout: 30_000, interval: 20 }).toEqual([]);
}
