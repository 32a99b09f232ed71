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

const body = JSON.stringify({ information: {} });
const head = (token: string) =>
  [
    'PUT /api/fleets/v1/DE/ABC/DE*ABC*V1 HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '\r\n',
  ].join('\r\n');

const changes = () =>
  service.db.query<{ vehicle: string; address: string | null }>(
    `select distinct vehicle_id as vehicle, actor->>'address' as address from audit_events where action = 'INSERT' order by 1`,
  );

test('whoever hangs up before the request is done is recorded with the address all the same', async () => {
  const token = await service.token();
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(head(token));
  // The realm is cached for a second, within which nothing would be locked when the caller is checked again.
  await sleep(1_500);
  const unlock = await lockTable(service.db, 'providers');
  socket.write(body);
  await expect.poll(waitingStatements).toBe(1);
  socket.resetAndDestroy();
  await sleep(100);
  await unlock();
  await expect.poll(changes).toEqual([{ vehicle: 'DE*ABC*V1', address: '127.0.0.1' }]);
});

test('of whoever hangs up before the caller is known, nothing is done', async () => {
  const token = await service.token();
  await sleep(1_100);
  const unlock = await lockTable(service.db, 'providers');
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(head(token).replace('V1', 'V2') + body);
  await expect.poll(waitingStatements).toBe(1);
  socket.resetAndDestroy();
  await sleep(100);
  await unlock();
  // What comes after it has been handled by then.
  expect((await service.call('PUT', '/DE*ABC*V3', { information: {} })).status).toBe(201);
  expect((await changes()).map(({ vehicle }) => vehicle)).toEqual(['DE*ABC*V1', 'DE*ABC*V3']);
});
