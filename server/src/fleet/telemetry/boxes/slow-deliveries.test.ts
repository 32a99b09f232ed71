import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openQueue } from '../../../platform/jobs/queue.ts';
import { startTestService, type TestService } from '../../../testing/test-service.ts';
import { receiveDeliveries } from './receive-deliveries.ts';
import { storeDeferredMessages } from './store-deferred-messages.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ statementTimeoutMs: 500 });
  await service.call('PUT', '/DE*ABC*V1', { information: {} });
  await service.call('PUT', '/databoxes/BX-0', { vehicleId: 'DE*ABC*V1' });
  await service.owner.queryUnprepared(`
    create function delay() returns trigger language plpgsql as $$
      begin
        if new.odometer = 666 then perform pg_sleep(60); end if;
        return new;
      end $$;
    create trigger delaying before insert on vehicle_history for each row execute function delay();`);
});
afterAll(() => service.stop());

test('what always takes longer than a statement may is acknowledged with the rest, and keeps none of it from being stored', async () => {
  const receiver = receiveDeliveries(
    service.dependencies,
    { warn: () => expect.fail('it is not tried again') },
    { firstRetryMs: 1, deferAfterMs: 60_000, collectMs: 1 },
  );
  const begin = Date.now() - 3_600_000;
  let acknowledged = 0;
  const odometers = [1, 2, 3, 666, 4, 5];
  for (const [index, odometer] of odometers.entries()) {
    receiver.receive({
      topic: 'motorpool/DE/ABC/BX-0/messages',
      payload: Buffer.from(
        JSON.stringify({ timestamp: new Date(begin + index * 1_000).toISOString(), odometer }),
      ),
      isOpen: () => true,
      acknowledge: () => void acknowledged++,
    });
  }
  await vi.waitFor(() => expect(acknowledged).toBe(odometers.length), { timeout: 30_000 });
  await receiver.settle();
  const queue = await openQueue(service.db, {
    kinds: [storeDeferredMessages],
    dependencies: () => service.dependencies,
    runsJobs: true,
    onError: () => {},
  });
  await queue.work();
  const stored = async () => {
    const rows = await service.db.query<{ odometer: number }>(
      'select odometer from vehicle_history order by odometer',
    );
    return rows.map(({ odometer }) => odometer);
  };
  await expect.poll(stored, { timeout: 60_000 }).toEqual([1, 2, 3, 4, 5]);
  await queue.close();
  // Those that are done are gone, with the positions that they may have.
  const [left, ...others] = await service.db.query<{ data: { deliveries: object[] } }>(
    `select data from pgboss.job where name = 'store-deferred-messages'`,
  );
  expect(left?.data.deliveries).toHaveLength(1);
  expect(others).toEqual([]);
});
