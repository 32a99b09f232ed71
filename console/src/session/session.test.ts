import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionError } from '@motorpool/client';
import { allowInsecureRequests } from 'oauth4webapi';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Session } from './session.ts';

type Answer = { status: number; body: string; type?: string };

const granted: Answer = {
  status: 200,
  body: JSON.stringify({ access_token: 'renewed', token_type: 'bearer', expires_in: 300 }),
};
const ended: Answer = { status: 400, body: JSON.stringify({ error: 'invalid_grant' }) };

/** A session whose token has expired, at an authorization server that gives these answers in turn. */
async function openSession(answers: readonly Answer[], hasRefreshToken = true) {
  const queue = [...answers];
  const server = createServer((_, response) => {
    const { status, body, type = 'application/json' } = queue.shift() ?? granted;
    response.writeHead(status, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const replaced: string[] = [];
  vi.stubGlobal('location', {
    href: `${issuer}/console/DE-ABC/vehicles`,
    origin: issuer,
    replace: (url: URL) => replaced.push(url.pathname),
  });
  vi.stubGlobal('sessionStorage', { setItem: () => {} });
  onTestFinished(() => void vi.unstubAllGlobals());
  const realm = {
    provider: 'DE-ABC',
    server: {
      issuer,
      token_endpoint: `${issuer}/token`,
      authorization_endpoint: `${issuer}/authorize`,
    },
    client: { client_id: 'console' },
    request: { [allowInsecureRequests]: true },
    redirectUri: `${issuer}/console/signed-in`,
    homeUri: `${issuer}/console/`,
  };
  const tokens = {
    accessToken: 'expired',
    refreshToken: hasRefreshToken ? 'first' : undefined,
    idToken: undefined,
    expiresAt: 0,
  };
  return { session: new Session(realm, tokens), replaced };
}

/** Leaves out the time that requests wait for the page to be left. */
function skipWaiting(): void {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

const page = '<!doctype html><title>Bad gateway</title>';

test.each<[string, Answer]>([
  ['a page of a proxy', { status: 502, body: page, type: 'text/html' }],
  ['an unavailable server', { status: 503, body: JSON.stringify({ error: 'server_error' }) }],
  ['an overloaded server', { status: 429, body: JSON.stringify({ error: 'slow_down' }) }],
  ['a page that is no answer', { status: 200, body: page, type: 'text/html' }],
  ['half an answer', { status: 200, body: granted.body.slice(0, 20) }],
])('%s ends no session, and the next request renews the token', async (_, answer) => {
  const { session, replaced } = await openSession([answer, granted]);
  await expect(session.accessToken()).rejects.toThrow(ConnectionError);
  expect(await session.accessToken()).toBe('renewed');
  expect(replaced).toEqual([]);
});

test.each<[string, Answer]>([
  ['an ended session', ended],
  [
    'a client that is not known',
    { status: 401, body: JSON.stringify({ error: 'invalid_client' }) },
  ],
  ['a realm that is gone', { status: 404, body: '{}', type: 'application/problem+json' }],
])('%s leads to the sign-in, and who stays is led there by a later request', async (_, answer) => {
  const { session, replaced } = await openSession([answer, answer]);
  skipWaiting();
  for (const leads of [['/authorize'], ['/authorize', '/authorize']]) {
    const token = session.accessToken();
    const refused = expect(token).rejects.toThrow(ConnectionError);
    await eventually(() => expect(replaced).toEqual(leads));
    await vi.runAllTimersAsync();
    await refused;
  }
});

test('a session without a refresh token leads to the sign-in', async () => {
  const { session, replaced } = await openSession([], false);
  skipWaiting();
  const refused = expect(session.accessToken()).rejects.toThrow(ConnectionError);
  await eventually(() => expect(replaced).toEqual(['/authorize']));
  await vi.runAllTimersAsync();
  await refused;
});
