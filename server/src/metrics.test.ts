import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BlobStore, NoSuchBlob } from './platform/blobs/blob-store.ts';
import { measuredStore } from './platform/blobs/measured-store.ts';
import { lockTable } from './testing/lock-table.ts';
import { startTestService, type TestService } from './testing/test-service.ts';

const deploy = (name: string) => fileURLToPath(new URL(`../../deploy/${name}`, import.meta.url));
const rules = deploy('prometheus-alerts.yaml');

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await service.call('PUT', '/DE*ABC*V1', { information: { vin: 'VIN' } });
});
afterAll(() => service.stop());

const scrape = async () => (await service.send({ path: '/metrics' })).text;

/** The value of a metric with these labels. */
async function readMetric(metric: string): Promise<number> {
  const line = (await scrape()).split('\n').find((one) => one.startsWith(`${metric} `));
  return Number(line?.split(' ').at(-1) ?? Number.NaN);
}

test('what the dashboard and the alerts ask for is served', async () => {
  const served = await scrape();
  const asked = [deploy('grafana-dashboard.json'), rules].flatMap(
    (file) => readFileSync(file, 'utf8').match(/\b(motorpool|nodejs|process)_[a-z0-9_]+\b/g) ?? [],
  );
  expect(asked.length).toBeGreaterThan(20);
  const unserved = asked.filter(
    (name) => !served.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `),
  );
  expect([...new Set(unserved)]).toEqual([]);
});

test.skipIf(spawnSync('promtool', ['--version']).status !== 0)(
  'promtool accepts the alerts',
  () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', rules], {
      encoding: 'utf8',
    });
    expect([status, stderr], stdout).toEqual([0, '']);
  },
);

test('messages of vehicles are counted by their result, with their age', async () => {
  const [accepted, lag] = [
    'motorpool_telemetry_messages_total{result="accepted"}',
    'motorpool_telemetry_lag_seconds_count',
  ];
  const before = (await readMetric(lag)) || 0;
  const timestamp = new Date(Date.now() - 20_000).toISOString();
  await service.call('PUT', '/DE*ABC*V1/status', { timestamp, odometer: 1 });
  expect(await readMetric(accepted)).toBeGreaterThan(0);
  expect(await readMetric(lag)).toBe(before + 1);
  const [at10, at30] = ['10', '30'].map(
    (le) => `motorpool_telemetry_lag_seconds_bucket{le="${le}"}`,
  );
  expect(await readMetric(at30 ?? '')).toBeGreaterThan(await readMetric(at10 ?? ''));
});

test('statements that run and that wait for a connection are counted', async () => {
  const unlock = await lockTable(service.owner, 'vehicles');
  const reads = Array.from({ length: 12 }, () => service.call('GET', '/DE*ABC*V1'));
  await expect.poll(() => readMetric('motorpool_database_connections_in_use')).toBeGreaterThan(0);
  await unlock();
  await Promise.all(reads);
  expect(await readMetric('motorpool_database_statements_waiting')).toBe(0);
  expect(await readMetric('motorpool_database_connections_max')).toBeGreaterThan(0);
  expect(await readMetric('motorpool_database_statement_duration_seconds_count')).toBeGreaterThan(
    0,
  );
});

test('changes that have no number yet, and deliveries that are due, have an age', async () => {
  await service.db.query(
    `insert into event_outbox (provider, type, record_id, occurred_at) values ('DE-ABC', 'x', 'x', now() - interval '1 hour')`,
  );
  expect(await readMetric('motorpool_events_oldest_unnumbered_seconds')).toBeGreaterThan(3_000);
  await service.db.query(`delete from event_outbox where type = 'x'`);
  await service.db.query(
    `with webhook as (
       insert into webhooks (provider, url, sealed_secret, position, created_at, updated_at, failing_since)
       values ('DE-ABC', 'https://example.com', '', 0, now(), now(), now()) returning provider, id
     )
     insert into webhook_deliveries (provider, webhook_id, number, event_id, type, next_try_at)
     select provider, id, 1, gen_random_uuid(), 'x', now() - interval '1 hour' from webhook`,
  );
  expect(await readMetric('motorpool_webhooks_oldest_due_seconds')).toBeGreaterThan(3_000);
  expect(await readMetric('motorpool_webhooks_failing')).toBe(1);
});

test('failures of the store are counted, and only those', async () => {
  const failing: BlobStore = {
    put: async (_key, bytes) => {
      throw bytes.errored ?? new Error('down');
    },
    get: async (key) => {
      throw key === 'none' ? new NoSuchBlob(key) : new Error('down');
    },
    getWhole: async () => {
      throw new Error('down');
    },
    delete: async () => {
      throw new Error('down');
    },
  };
  const store = measuredStore(failing);
  const brokenOff = Readable.from(['x']);
  brokenOff.on('error', () => {});
  brokenOff.destroy(new Error('hung up'));
  const failures = (operation: string) =>
    readMetric(`motorpool_blob_store_errors_total{operation="${operation}"}`);
  const before = await Promise.all(['put', 'get', 'delete'].map(failures));
  await expect(store.put('a', brokenOff)).rejects.toThrow('hung up');
  await expect(store.get('none')).rejects.toThrow(NoSuchBlob);
  await expect(store.put('a', Readable.from(['x']))).rejects.toThrow('down');
  await expect(store.get('a')).rejects.toThrow('down');
  await expect(store.delete('a')).rejects.toThrow('down');
  const after = await Promise.all(['put', 'get', 'delete'].map(failures));
  expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 1]);
});
