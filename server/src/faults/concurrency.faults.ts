import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../testing/http-client.ts';
import { createSandbox, type Sandbox } from '../testing/sandbox.ts';
import { createServed } from '../testing/serve.ts';
import { createEmptyDatabase, type TestDatabase } from '../testing/test-database.ts';
import { recordFigure, seconds } from './figures.ts';
import { openLedger } from './ledger.ts';
import { withoutLimits } from './without-limits.ts';

const writers = 100;

let sandbox: Sandbox;
let empty: TestDatabase;
beforeAll(async () => {
  sandbox = createSandbox();
  empty = await createEmptyDatabase();
});
afterAll(async () => {
  await sandbox.close();
  await empty.drop();
});

test('two services that start at once on an empty database migrate it once, and both serve', async () => {
  const startedAt = performance.now();
  const starts = [0, 1].map(() => sandbox.start(['serve'], { env: empty.env }));
  const services = await Promise.all(starts);
  const tookMs = performance.now() - startedAt;
  for (const { url } of services)
    expect((await send(url, { path: '/health/ready' })).status).toBe(200);
  for (const { kill, ended } of services) {
    kill();
    expect((await ended).code).toBe(0);
  }
  recordFigure('two services migrating at once', `both ready after ${seconds(tookMs)}`);
});

test(`${writers} writers of one incident, each with If-Match until it has succeeded: no write is lost, and versions have no gap`, async () => {
  const served = await createServed();
  const ledger = await openLedger(served.db);
  const service = await served.start(withoutLimits);
  const client = ledger.connect(service.url);
  await client.call({ method: 'PUT', path: '/DE*ABC*ONE', body: { information: {} } });
  const incident = { title: '0', vehicleOperable: true, isResolved: false };
  const made = await client.call({ method: 'POST', path: '/DE*ABC*ONE/incidents', body: incident });
  const path = `/DE*ABC*ONE/incidents/${made.json.id}`;
  const versions: number[] = [];
  let refused = 0;
  const write = async () => {
    for (;;) {
      const read = await client.call({ method: 'GET', path });
      const etag = String(read.headers.etag);
      // The number of writes so far: a lost one would be missing in the end.
      const title = String(Number(read.json.title) + 1);
      const headers = { 'if-match': etag };
      const {
        status,
        headers: answered,
        text,
      } = await client.call({ method: 'PUT', path, body: { ...incident, title }, headers });
      if (status === 200) return void versions.push(Number(/\d+/.exec(String(answered.etag))?.[0]));
      expect([412, 429, 503], text).toContain(status);
      refused += 1;
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const first = Math.min(...versions);
  expect(versions.toSorted((a, b) => a - b)).toEqual(versions.map((_, index) => first + index));
  const { json } = await client.call({ method: 'GET', path });
  expect(json.title).toBe(String(writers));
  client.close();
  await served.close();
  recordFigure(
    'writers of one incident',
    `${writers} writes, ${refused} refused in between; versions ${first} to ${first + writers - 1}`,
  );
});
