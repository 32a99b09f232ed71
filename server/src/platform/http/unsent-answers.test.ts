import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClient } from '../../auth/clients.ts';
import { lockTable } from '../../testing/lock-table.ts';
import { requestToken, startTestService, type TestService } from '../../testing/test-service.ts';
import { shareOfClient } from './principal.ts';
import { createUnsentAnswers, maxUnsentAnswers } from './unsent-answers.ts';

let service: TestService;
const sockets: Socket[] = [];
beforeAll(async () => {
  service = await startTestService({ statementTimeoutMs: 60_000 });
  await service.call('PUT', '/DE*ABC*V1', { information: {} });
  // 400 of 40 kB: nearly as much as an answer may have.
  await service.db.query(
    `insert into incidents (provider, vehicle_id, title, vehicle_operable, is_resolved, report_timestamp, updated_at)
     select 'DE-ABC', 'DE*ABC*V1', repeat('🚗', 10000), true, true, now(), now() from generate_series(1, 400)`,
  );
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await service.stop();
});

/** The status of a page of incidents, the rest of which is not read. */
async function askWithoutReading(token: string, pageSize: number): Promise<number> {
  const body = JSON.stringify({ pagination: { pageSize } });
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  sockets.push(socket);
  socket.write(
    `POST /api/fleets/v1/DE/ABC/incidents HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (chunk) => {
      socket.pause();
      resolve(Number(chunk.toString('latin1').slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)));
    });
  });
}

test('clients that do not read their answers make the service keep no more than a few, half of them for one', async () => {
  const { id, secret = '' } = await addClient(service.db, 'DE-ABC', { name: 'Another' });
  const another = { clientId: id, clientSecret: secret };
  const { access_token: token } = (await requestToken(service.url, 'DE-ABC', another)).json;
  for (const asking of [await service.token(), token]) {
    for (let held = 0; held < maxUnsentAnswers * shareOfClient; held++)
      expect(await askWithoutReading(asking, 400)).toBe(200);
    expect(await askWithoutReading(asking, 400)).toBe(429);
  }
  const small = await service.call('POST', '/incidents', { pagination: { pageSize: 1 } });
  expect(small.status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await expect
    .poll(
      async () => {
        const { status } = await service.call('POST', '/incidents', {
          pagination: { pageSize: 400 },
        });
        return status;
      },
      { timeout: 60_000 },
    )
    .toBe(200);
});

test('answers to clients that hung up before they were made are not kept, and are no faults', async () => {
  const token = await service.token();
  const body = JSON.stringify({ pagination: { pageSize: 400 } });
  for (let hungUp = 0; hungUp < maxUnsentAnswers * shareOfClient; hungUp++) {
    const unlock = await lockTable(service.db, 'incidents');
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      `POST /api/fleets/v1/DE/ABC/incidents HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(waitingStatements).toBe(1);
    socket.resetAndDestroy();
    await sleep(20);
    await unlock();
  }
  await expect
    .poll(async () => (await service.call('POST', '/incidents', JSON.parse(body))).status, {
      timeout: 60_000,
    })
    .toBe(200);
  expect(service.log.filter((line) => line.includes('"level":50'))).toEqual([]);
});

test('an answer counts by its bytes, not by its characters', () => {
  const hold = createUnsentAnswers(2_000_000);
  const caller = { provider: 'DE-ABC', kind: 'client', subject: 'one' } as const;
  const answer = '€'.repeat(300_000);
  const send = () => hold(caller, [answer], new ServerResponse(new IncomingMessage(new Socket())));
  send();
  expect(send).toThrow(expect.objectContaining({ status: 429 }));
});

const waitingStatements = async () =>
  (await service.owner.query('select 1 from pg_locks where not granted')).length;
