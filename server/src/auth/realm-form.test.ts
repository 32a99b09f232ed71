import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const post = (path: string, body?: string, type = 'application/x-www-form-urlencoded') =>
  service.send({
    method: 'POST',
    path: `/realms/DE-ABC/protocol/openid-connect/${path}`,
    headers: { 'content-type': body === undefined ? undefined : type },
    body,
  });

test.each(['auth', 'logout'])('a form sent to %s goes on as a link, with cookies', async (path) => {
  const { status, headers } = await post(path, 'client_id=a%26b&state=x');
  const address = `${service.url}/realms/DE-ABC/protocol/openid-connect/${path}`;
  expect([status, headers.location]).toEqual([303, `${address}?client_id=a%26b&state=x`]);
  expect((await post(path)).status).toBe(303);
});

test('what is no form, or a long one, is refused', async () => {
  const json = await post('auth', '{}', 'application/json');
  expect([json.status, json.json.error]).toEqual([415, 'invalid_request']);
  const long = await post('logout', `refresh_token=${'x'.repeat(5_000)}`);
  expect([long.status, long.json.error]).toEqual([413, 'invalid_request']);
});

test.each([
  'protocol/openid-connect/auth',
  'protocol/openid-connect/logout',
  'login/anything',
  'account',
  'invitation',
])('a form of more than 100 parameters is refused by %s before it is parsed', async (path) => {
  const send = (body: string) =>
    service.send({
      method: 'POST',
      path: `/realms/DE-ABC/${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  const { status, text } = await send('a&'.repeat(100));
  expect([status, text]).toEqual([400, expect.stringContaining('more than 100 parameters')]);
  expect((await send('a&'.repeat(99))).text).not.toContain('more than 100');
});

test.each([
  'protocol/openid-connect/auth',
  'protocol/openid-connect/logout',
  'login/anything',
  'invitation',
])('who hangs up while a form is sent to %s is not taken for the database', async (path) => {
  const requestId = path.replaceAll('/', '-');
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(
    `POST /realms/DE-ABC/${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${requestId}\r\n` +
      'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nclient_id=',
    () => socket.destroy(),
  );
  await once(socket, 'close');
  const lines = () => service.log.map((line) => JSON.parse(line));
  const own = () =>
    lines().find(({ reqId, status }) => reqId === requestId && status !== undefined);
  await expect.poll(own).toMatchObject({ msg: 'aborted' });
  expect((await post('auth')).status).toBe(303);
  expect(lines().filter(({ level }) => level >= 40)).toEqual([]);
});

test('a realm that no address can have is passed on encoded', async () => {
  const path = (realm: string) => `/realms/${realm}/protocol/openid-connect/auth`;
  for (const realm of ['DE-ABC%0D%0AX-Y%3A%20z', '..%2F..%2Felsewhere']) {
    const { status, headers } = await service.send({ method: 'POST', path: path(realm) });
    expect([status, headers.location]).toEqual([303, `${service.url}${path(realm)}?`]);
  }
});
