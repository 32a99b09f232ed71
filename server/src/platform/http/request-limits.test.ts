import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { addClient } from '../../auth/clients.ts';
import { addUser } from '../../auth/users.ts';
import { requireContract } from '../../testing/contract/document.ts';
import { testUser } from '../../testing/global-setup.ts';
import { problemType } from '../../testing/problem-type.ts';
import { signInUser } from '../../testing/signed-in-user.ts';
import { requestToken, startTestService, type TestService } from '../../testing/test-service.ts';
import type { RequestLimits } from './request-limits.ts';

let service: TestService;
let now = 0;
afterEach(() => service.stop());

async function start(limits: Partial<RequestLimits>): Promise<void> {
  service = await startTestService({ limits: { ...limits, now: () => now } });
}

const path = (realm: string) => `/api/fleets/v1/${realm.replace('-', '/')}/DE*ABC*none/tyres`;

async function get(token: string, realm = 'DE-ABC') {
  const answer = await service.send({
    path: path(realm),
    headers: { authorization: `Bearer ${token}` },
  });
  if (answer.status !== 403) requireContract('GET', path(realm), answer);
  return answer;
}

async function tokenOfOtherClient(): Promise<string> {
  const { id, secret = '' } = await addClient(service.db, 'DE-ABC', { name: 'other' });
  const credentials = { clientId: id, clientSecret: secret };
  return (await requestToken(service.url, 'DE-ABC', credentials)).json.access_token;
}

/** Blocks the statements of requests until it is released. */
async function lockTable(table: string) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve } = Promise.withResolvers<void>();
  const done = service.db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`);
    resolve();
    await released;
  });
  await locked;
  return async () => {
    release();
    await done;
  };
}

const waitingStatements = async () =>
  (await service.owner.query('select 1 from pg_locks where not granted')).length;

const statuses = (answers: readonly { status: number }[]) =>
  answers.map(({ status }) => status).sort();

describe('rate', () => {
  const body = '{}'.padEnd(100_000);
  const gzipOfLittle = Buffer.concat([...Array(5_000).fill(gzipSync('')), gzipSync('{}')]);
  const search = (
    token: string,
    headers: Record<string, string | undefined>,
    body: string | Buffer,
  ) =>
    service.send({
      method: 'POST',
      path: '/api/fleets/v1/DE/ABC/vehicles',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
    });

  test('a client that sends more gets 429, with its limits; others are served', async () => {
    await start({ clientRate: 1 });
    const [mine, theirs] = [await service.token(), await tokenOfOtherClient()];
    const answers = await Promise.all([1, 2, 3].map(() => get(mine)));
    expect(statuses(answers)).toEqual([404, 429, 429]);
    const served = answers.find(({ status }) => status === 404);
    expect(served?.headers).toMatchObject({
      'ratelimit-policy': '"client";q=1;w=1',
      ratelimit: '"client";r=0;t=1',
    });
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"client";q=1;w=1',
      ratelimit: '"client";r=0;t=1',
      'content-type': 'application/problem+json',
    });
    expect(refused?.json).toMatchObject({
      type: problemType('too-many-requests'),
      detail: 'The client may send 1 requests a second.',
    });
    expect((await get(theirs)).status).toBe(404);
    now += 999;
    expect((await get(mine)).status).toBe(429);
    now += 1;
    expect((await get(mine)).status).toBe(404);
    expect((await get(await service.token('FR-XYZ'), 'FR-XYZ')).status).toBe(404);
  });

  test('a person is one client, by whichever they sign in, and apart from others', async () => {
    await start({ clientRate: 1 });
    await addUser(service.db, 'DE-ABC', 'ada', 'correct horse battery', 'viewer');
    const ada = { username: 'ada', password: 'correct horse battery' };
    const redirectUri = `${service.url}/docs/assets/oauth2-redirect.html`;
    const byDocs = { clientId: 'motorpool-docs', redirectUri };
    const people = [
      await signInUser(service, ada),
      await signInUser(service, { ...ada, ...byDocs }),
      await signInUser(service, { ...testUser, ...byDocs }),
    ];
    const answers = [];
    for (const { accessToken } of people) answers.push((await get(accessToken)).status);
    expect(answers).toEqual([404, 429, 404]);
  });

  test('all clients of a provider share its limit, and other providers do not', async () => {
    await start({ providerRate: 1, clientRate: 100 });
    const tokens = [await service.token(), await tokenOfOtherClient()];
    const answers = await Promise.all(tokens.map((token) => get(token)));
    expect(statuses(answers)).toEqual([404, 429]);
    expect(answers.find(({ status }) => status === 429)?.json.detail).toBe(
      'The provider may send 1 requests a second.',
    );
    const { status, headers } = await get(await service.token('FR-XYZ'), 'FR-XYZ');
    expect([status, headers.ratelimit]).toEqual([404, '"client";r=99;t=1, "provider";r=0;t=1']);
  });

  test('what is refused for another reason counts', async () => {
    await start({ clientRate: 1 });
    const token = await service.token();
    expect((await get(token, 'FR-XYZ')).status).toBe(403);
    expect((await get(token)).status).toBe(429);
  });

  test.each([
    ['with its length', {}, body],
    ['in chunks', { 'transfer-encoding': 'chunked', 'content-length': undefined }, body],
    ['in gzip', { 'content-encoding': 'gzip' }, gzipSync(body)],
    ['in gzip of little', { 'content-encoding': 'gzip' }, gzipOfLittle],
  ])('a large body %s counts as several requests', async (_how, headers, body) => {
    await start({ clientRate: 2 });
    const token = await service.token();
    const { status } = await search(token, headers, body);
    expect(status).toBe(200);
    expect((await get(token)).status).toBe(429);
  });

  test.each([
    ['with its length', {}],
    ['in chunks', { 'transfer-encoding': 'chunked', 'content-length': undefined }],
  ])(
    'an upload %s counts as several requests where it is parsed, and as one where it is stored',
    async (_how, headers) => {
      await start({ clientRate: 2 });
      const token = await service.token();
      const upload = (method: string, path: string) =>
        service.send({
          method,
          path: `/api/fleets/v1/DE/ABC/${path}`,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv', ...headers },
          body,
        });
      expect((await upload('PUT', 'DE*ABC*none/image')).status).toBe(404);
      expect((await upload('POST', 'imports/vehicles')).status).toBe(400);
      now += 1_000;
      expect((await get(token)).status).toBe(429);
    },
  );

  test.each([
    ['are few', 404, gzipSync(body)],
    ['are many', 429, gzipOfLittle],
  ])(
    'bodies in gzip that are refused count by what was sent, where these %s',
    async (_how, next, body) => {
      await start({ clientRate: 30 });
      const token = await service.token();
      const headers = {
        'content-encoding': 'gzip',
        'transfer-encoding': 'chunked',
        'content-length': undefined,
      };
      const send = () => search(token, headers, body);
      const answers = await Promise.all(Array.from({ length: 6 }, send));
      expect(statuses(answers)).toEqual([200, 200, 429, 429, 429, 429]);
      now += 1_000;
      expect((await get(token)).status).toBe(next);
    },
  );

  test.each([
    ['in chunks', { 'transfer-encoding': 'chunked', 'content-length': undefined }, body],
    ['in gzip', { 'content-encoding': 'gzip' }, gzipSync(body)],
  ])(
    'large bodies %s that come together count before they are read',
    async (_how, headers, body) => {
      await start({ clientRate: 30 });
      const token = await service.token();
      const send = () => search(token, headers, body);
      const answers = await Promise.all(Array.from({ length: 6 }, send));
      // Each is as much as 25 requests.
      expect(statuses(answers)).toEqual([200, 200, 429, 429, 429, 429]);
      for (const { status, headers, json } of answers) {
        if (status !== 429) continue;
        expect(headers).toMatchObject({ 'retry-after': '1', ratelimit: '"client";r=0;t=1' });
        expect(headers.connection).not.toBe('close');
        expect(json).toMatchObject({
          type: problemType('too-many-requests'),
          detail: 'The client may send 30 requests a second.',
        });
      }
      // Those that were refused have cost what they were on the way.
      now += 2_000;
      expect((await send()).status).toBe(200);
    },
  );

  test('what a client has sent too much, it waits for itself: others of its provider for a second at most', async () => {
    await start({ clientRate: 2, providerRate: 4 });
    const [mine, theirs] = [await service.token(), await tokenOfOtherClient()];
    const { status } = await service.send({
      method: 'POST',
      path: '/api/fleets/v1/DE/ABC/vehicles',
      headers: {
        authorization: `Bearer ${mine}`,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
        'content-length': undefined,
      },
      body: '{}'.padEnd(100_000),
    });
    expect([status, (await get(theirs)).status]).toEqual([200, 429]);
    now += 1_250;
    expect([(await get(mine)).status, (await get(theirs)).status]).toEqual([429, 404]);
  });

  test('a length that no body may have counts no more than the largest body', async () => {
    await start({ clientRate: 1_000, providerRate: 1_000 });
    const token = await service.token();
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      `POST /api/fleets/v1/DE/ABC/vehicles HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 9000000000000\r\n\r\n{',
    );
    const [answer] = await once(socket, 'data');
    socket.destroy();
    expect(String(answer)).toContain('HTTP/1.1 413');
    expect((await get(token)).status).toBe(404);
    expect((await get(await tokenOfOtherClient())).status).toBe(404);
  });

  test('without a limit there is no header', async () => {
    await start({});
    const { headers } = await get(await service.token());
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
  });
});

describe('concurrency', () => {
  test('a client with too many requests in flight gets 429 until one is answered', async () => {
    await start({ clientConcurrency: 2 });
    const [mine, theirs] = [await service.token(), await tokenOfOtherClient()];
    const unlock = await lockTable('vehicles');
    const sent = [get(mine), get(mine), get(mine)];
    // The others are answered once they are unlocked.
    const refused = await Promise.race(sent);
    expect(refused.headers).toMatchObject({
      'retry-after': '1',
      'ratelimit-policy': '"client-concurrency";q=2;qu="concurrent-requests"',
      ratelimit: '"client-concurrency";r=0',
    });
    const other = get(theirs);
    await unlock();
    expect(statuses(await Promise.all([...sent, other]))).toEqual([404, 404, 404, 429]);
    expect((await get(mine)).status).toBe(404);
  });

  test('all clients of a provider share its limit', async () => {
    await start({ providerConcurrency: 1 });
    const [mine, theirs] = [await service.token(), await tokenOfOtherClient()];
    const unlock = await lockTable('vehicles');
    const sent = [get(mine), get(theirs)];
    expect((await Promise.race(sent)).status).toBe(429);
    const other = get(await service.token('FR-XYZ'), 'FR-XYZ');
    await unlock();
    expect(statuses(await Promise.all([...sent, other]))).toEqual([404, 404, 429]);
  });

  test('requests whose client hangs up before they are authenticated free their place', async () => {
    await start({ clientConcurrency: 3, providerConcurrency: 3 });
    const token = await service.token();
    const places = [1, 2, 3];
    // The realm is cached for a second, within which nothing would be locked.
    await sleep(1_100);
    const unlock = await lockTable('providers');
    const request = `GET ${path('DE-ABC')} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    for (const pipelined of [1, 2]) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write(request.repeat(pipelined));
      await expect.poll(waitingStatements).toBe(1);
      // The service has read what was sent before.
      await sleep(100);
      socket.resetAndDestroy();
    }
    await sleep(100);
    await unlock();
    const getAll = async () => statuses(await Promise.all(places.map(() => get(token))));
    await expect.poll(getAll).toEqual(places.map(() => 404));
  });

  test('a request whose client hangs up keeps its place until its work has ended', async () => {
    await start({ providerConcurrency: 1 });
    const token = await service.token();
    const unlock = await lockTable('vehicles');
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(
      `GET ${path('DE-ABC')} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    );
    await expect.poll(waitingStatements).toBe(1);
    socket.resetAndDestroy();
    // Until the service has noticed.
    await sleep(100);
    const answer = await Promise.race([get(token), sleep(2_000)]);
    await unlock();
    expect(answer).toMatchObject({ status: 429 });
    await expect.poll(async () => (await get(token)).status).toBe(404);
  });

  test('requests that are aborted, pipelined ones included, or refused free their place', async () => {
    await start({ clientConcurrency: 5 });
    const token = await service.token();
    const unlock = await lockTable('vehicles');
    const request = `GET ${path('DE-ABC')} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.write(request.repeat(3));
    // Of as many others as there are places, some are refused, once those of the socket have arrived.
    const sent = Array.from({ length: 5 }, () => get(token));
    expect((await Promise.race(sent)).status).toBe(429);
    socket.destroy();
    await unlock();
    await Promise.all(sent);
    const places = [1, 2, 3, 4, 5];
    const getAll = async () => statuses(await Promise.all(places.map(() => get(token))));
    await expect.poll(getAll).toEqual(places.map(() => 404));
    for (const body of ['{', '{}', '{"sorting":1}']) {
      const answers = await Promise.all(
        places.map(() =>
          service.send({
            method: 'POST',
            path: '/api/fleets/v1/DE/ABC/vehicles',
            headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
            body,
          }),
        ),
      );
      expect(new Set(statuses(answers))).toEqual(new Set([body === '{}' ? 200 : 400]));
    }
    expect(await getAll()).toEqual(places.map(() => 404));
  });
});

test('a flood of refused requests is answered in the end, whole', async () => {
  await start({ clientRate: 1 });
  const token = await service.token();
  const answers = await Promise.all(Array.from({ length: 60 }, () => get(token)));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(59);
});
