import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type TestService } from '../../../testing/test-service.ts';
import { receiveDeliveries } from './receive-deliveries.ts';

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

test('what always takes longer than a statement may is rejected alone, after several attempts', async () => {
  const log: object[] = [];
  const receiver = receiveDeliveries(
    service.dependencies,
    { warn: (details) => void log.push(details) },
    { firstRetryMs: 1, maxTimeouts: 3 },
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
  const stored = await service.db.query<{ odometer: number }>(
    'select odometer from vehicle_history order by odometer',
  );
  expect(stored.map(({ odometer }) => odometer)).toEqual([1, 2, 3, 4, 5]);
  expect(log.filter((details) => 'reason' in details)).toMatchObject([
    { serial: 'BX-0', reason: 'failed' },
  ]);
});
