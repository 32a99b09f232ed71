import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lockTable } from '../../testing/lock-table.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const waitingStatements = async () =>
  (await service.owner.query(`select 1 from pg_locks where not granted`)).length;

test('whoever hangs up before the request is done is recorded with the address all the same', async () => {
  await service.call('PUT', '/DE*ABC*V1', { information: {} });
  const token = await service.token();
  // The realm is cached for a second, within which nothing would be locked.
  await sleep(1_100);
  const unlock = await lockTable(service.db, 'providers');
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(
    `DELETE /api/fleets/v1/DE/ABC/DE*ABC*V1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  );
  await expect.poll(waitingStatements).toBe(1);
  socket.resetAndDestroy();
  await sleep(100);
  await unlock();

  const deletions = () =>
    service.db.query<{ address: string | null }>(
      `select actor->>'address' as address from audit_events where action = 'DELETE'`,
    );
  await expect.poll(deletions).toEqual([{ address: '127.0.0.1' }]);
});
