import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The answers to a request whose body comes in chunks, and to one after it on the same connection. */
function exchange(head: string, chunk: string, count: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    // It may be closed while it is written to.
    socket.on('close', () => resolve(received)).on('error', () => {});
    socket.write(`${head}\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(count));
    socket.write('0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  });
}

const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';
const realm = '/realms/DE-ABC';
const requests: [string, () => Promise<string>, string][] = [
  ['of a stranger', async () => `POST /api/fleets/v1/DE/ABC/vehicles HTTP/1.1\r\n${json}`, '401'],
  ['to no path', async () => 'POST /nowhere HTTP/1.1', '404'],
  ['to a malformed path', async () => 'POST /%zz HTTP/1.1', '400'],
  [
    'that is read',
    async () =>
      `POST /api/fleets/v1/DE/ABC/vehicles HTTP/1.1\r\n${json}\r\nAuthorization: Bearer ${await service.token()}`,
    '400',
  ],
  [
    'of a token request',
    async () => `POST ${realm}/protocol/openid-connect/token HTTP/1.1\r\n${form}`,
    '400',
  ],
  [
    'that a token request has against its type',
    async () => `POST ${realm}/protocol/openid-connect/token HTTP/1.1\r\n${json}`,
    '400',
  ],
  ['of a page', async () => `POST ${realm}/login/x HTTP/1.1\r\n${form}`, '40\\d'],
  ['with an expectation', async () => 'POST /nowhere HTTP/1.1\r\nExpect: more', '404'],
  [
    'that is waited for',
    async () => 'POST /nowhere HTTP/1.1\r\nExpect: 100-continue',
    '100 Continue\r\n\r\nHTTP/1\\.1 404',
  ],
];

describe.each(requests)('a body %s', (_name, head, status) => {
  test('may come in many small chunks', async () => {
    const both = new RegExp(`^HTTP/1\\.1 ${status} .*HTTP/1\\.1 200 OK`, 's');
    expect(await exchange(await head(), '1', 900)).toMatch(both);
    expect(await exchange(await head(), '1'.repeat(100), 100)).toMatch(both);
  });

  test('closes the connection when it comes in thousands of tiny ones', async () => {
    expect(await exchange(await head(), '1', 20_000)).not.toContain('200 OK');
  });
});

test('a body that tells its length closes the connection when it comes in thousands of tiny segments', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').setNoDelay();
  socket.on('error', () => {});
  socket.write(
    `POST ${realm}/protocol/openid-connect/token HTTP/1.1\r\nHost: x\r\n${form}\r\nContent-Length: 50000\r\n\r\n`,
  );
  for (let sent = 0; sent < 20_000 && !socket.destroyed; sent += 1) {
    socket.write('a');
    // Each is read before the next is sent.
    await setImmediate();
  }
  await expect.poll(() => socket.closed).toBe(true);
});
