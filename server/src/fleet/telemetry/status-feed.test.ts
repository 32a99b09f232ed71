import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { changesAtOnce, statusFeedOf } from './status-feed.ts';

let service: TestService;
const vehicleId = 'DE*ABC*V0001';
beforeAll(async () => {
  service = await startTestService();
  await service.call('PUT', `/${vehicleId}`, { information: {} });
});
afterAll(() => service.stop());

let odometer = 0;
function report(headers: Record<string, string> = {}) {
  odometer += 1;
  const timestamp = new Date().toISOString();
  return service.call('POST', '/databox/messages', [{ vehicleId, timestamp, odometer }], headers);
}

/** Those of the service, the last of which is the statement's own. */
async function endConnections(): Promise<void> {
  const end = `
    select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity where datname = current_database() and usename = current_user
      order by pid = pg_backend_pid()
    ) as own`;
  await expect(service.db.query(end)).rejects.toThrow('terminating connection');
}

test('outlives the connection of the first message, also where that has an Idempotency-Key', async () => {
  await service.db.query(
    `insert into status_watchers (provider, watcher, watches_until) values ($1, $2, now() + interval '1 hour')`,
    ['DE-ABC', randomUUID()],
  );
  const { status } = await report({ 'idempotency-key': randomUUID() });
  expect(status).toBe(200);
  await endConnections();
  await expect
    .poll(
      async () => {
        await report().catch(() => {});
        return service.owner.query('select provider, vehicle_id from status_changes');
      },
      { timeout: 15_000, interval: 200 },
    )
    .toEqual([{ provider: 'DE-ABC', vehicle_id: vehicleId }]);
}, 30_000);

test('any number of changes is told in parts, each once', async () => {
  const told: string[][] = [];
  const end = statusFeedOf(service.db).watch('DE-ABC', async (ids) => {
    told.push(ids);
  });
  onTestFinished(end);
  const number = 2 * changesAtOnce + 1;
  await service.owner.query(
    `insert into status_changes (provider, vehicle_id, changed_at)
     select 'DE-ABC', 'DE*ABC*' || number, clock_timestamp() from generate_series(1, $1::int) number`,
    [number],
  );
  const ids = () => told.flat().filter((id) => id !== vehicleId);
  await expect.poll(() => ids().length, { timeout: 10_000 }).toBe(number);
  // Once more than it takes until a change is no longer read again.
  await sleep(4_500);
  expect(new Set(ids()).size).toBe(number);
  expect(ids()).toHaveLength(number);
  expect(Math.max(...told.map(({ length }) => length))).toBe(changesAtOnce);
}, 30_000);

test('what could not be told is told by the next look', async () => {
  const told = new Set<string>();
  let calls = 0;
  const end = statusFeedOf(service.db).watch('FR-XYZ', async (ids) => {
    calls += 1;
    if (calls === 2) throw new Error('refused');
    for (const id of ids) told.add(id);
  });
  onTestFinished(end);
  const number = 3 * changesAtOnce;
  await service.owner.query(
    `insert into status_changes (provider, vehicle_id, changed_at)
     select 'FR-XYZ', 'FR*XYZ*' || number, clock_timestamp() from generate_series(1, $1::int) number`,
    [number],
  );
  await expect.poll(() => told.size, { timeout: 10_000 }).toBe(number);
});
