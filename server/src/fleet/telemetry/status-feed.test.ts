import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

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
