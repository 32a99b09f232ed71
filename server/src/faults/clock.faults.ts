import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../testing/http-client.ts';
import { createServed, type Served } from '../testing/serve.ts';
import { recordFigure } from './figures.ts';
import { figureOf, type Ledger, openLedger } from './ledger.ts';
import { watchAnswers } from './recovery.ts';
import { withoutLimits } from './without-limits.ts';

/** The clock of the service jumps, that of PostgreSQL and of clients does not, as on machines of their own. */

const hour = 3_600_000;

let served: Served;
let ledger: Ledger;
let offsetFile: string;
let service: Awaited<ReturnType<Served['start']>>;
beforeAll(async () => {
  served = await createServed();
  ledger = await openLedger(served.db);
  offsetFile = join(served.folder, 'clock-offset');
  jump(0);
  const preload = pathToFileURL(join(import.meta.dirname, 'jumping-clock.ts')).href;
  service = await served.start({
    ...withoutLimits,
    NODE_OPTIONS: `--import=${preload}`,
    CLOCK_OFFSET_FILE: offsetFile,
  });
});
afterAll(() => served.close());

const jump = (ms: number) => writeFileSync(offsetFile, String(ms));

test('the clock jumps an hour ahead, two back and to where it was: no request fails but for tokens that are over, and nothing acknowledged is lost', async () => {
  for (const offset of [0, hour, -hour, 0]) {
    jump(offset);
    // The service reads the file again and again.
    await sleep(1_000);
    const client = ledger.connect(service.url);
    const writers = await ledger.startWriters(client);
    const ready = async () => (await send(service.url, { path: '/health/ready' })).status;
    const { statuses } = await watchAnswers(5_000, ready);
    await writers.stop();
    client.close();
    expect([...statuses.keys()]).toEqual([200]);
    await ledger.check('new');
  }
  await ledger.check('all');
  expect(ledger.counts.refused).toBe(0);
  recordFigure('clock jumps', `by +1 h, −2 h, +1 h; ${figureOf(ledger.counts)}`);
});
