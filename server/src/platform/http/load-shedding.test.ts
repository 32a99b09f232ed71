import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { send } from '../../testing/http-client.ts';
import { LoadShedder, shedLoad } from './load-shedding.ts';
import { authenticationHook } from './operation-access.ts';
import { startInTurn } from './pipelining.ts';
import type { Principal } from './principal.ts';
import { originForm } from './request-target.ts';

const limits = { alwaysAdmitted: 4, budgetMs: 250, windowMs: 200 };

/** A shedder with a clock of its own, and the requests that it has admitted. */
function createLoad() {
  let now = 0;
  const shedder = new LoadShedder(limits, () => now);
  const running: ReturnType<LoadShedder['begin']>[] = [];
  return {
    wait(ms: number) {
      now += ms;
    },
    /** Sends requests of a tenant, and returns how many are admitted. */
    send(tenant: string, count: number): number {
      let admitted = 0;
      for (let sent = 0; sent < count; sent += 1) {
        if (shedder.overloadedBy(tenant)) continue;
        running.push(shedder.begin(tenant));
        admitted += 1;
      }
      return admitted;
    },
    answer(count: number) {
      for (const work of running.splice(0, count)) work.end();
    },
  };
}

/** More come than are answered, for longer than the target and a window. */
function overload(load: ReturnType<typeof createLoad>) {
  load.send('A', 40);
  load.wait(150);
  load.answer(20);
  load.wait(60);
}

test('a burst is admitted, whatever its size', () => {
  const load = createLoad();
  expect(load.send('A', 1_000)).toBe(1_000);
});

test('requests that are answered in time are never refused, however many there are', () => {
  const load = createLoad();
  for (let round = 0; round < 20; round += 1) {
    expect(load.send('A', 100)).toBe(100);
    load.wait(50);
    load.answer(100);
  }
});

test('while requests are late, no more are in progress than are answered within the budget', () => {
  const load = createLoad();
  overload(load);
  // The budget holds 23 at the rate of the window, and 20 are in progress: docs/decisions/0064-overload.md.
  expect(load.send('A', 40)).toBe(4);
});

test('few requests are admitted, however long each takes', () => {
  const load = createLoad();
  for (let round = 0; round < 10; round += 1) {
    expect(load.send('A', 4)).toBe(4);
    load.wait(5_000);
    load.answer(4);
  }
});

test('a tenant with less than its part is admitted while another floods', () => {
  const load = createLoad();
  overload(load);
  load.send('A', 40);
  expect(load.send('B', 5)).toBe(5);
  expect(load.send('A', 5)).toBe(0);
});

test('a burst that was admitted takes nothing from other tenants', () => {
  const load = createLoad();
  load.send('A', 1_000);
  load.wait(210);
  expect(load.send('A', 1)).toBe(0);
  expect(load.send('B', 1)).toBe(1);
});

test('a flood of many tenants is refused, too', () => {
  const load = createLoad();
  overload(load);
  const admitted = Array.from({ length: 200 }, (_, tenant) => load.send(`T${tenant}`, 1));
  expect(admitted.filter(Boolean).length).toBeLessThan(40);
});

test('all are admitted again once requests are answered in time', () => {
  const load = createLoad();
  overload(load);
  load.send('A', 40);
  load.wait(150);
  load.answer(100);
  load.send('A', 1);
  load.wait(60);
  load.answer(1);
  load.wait(200);
  load.send('A', 1);
  load.wait(200);
  expect(load.send('A', 200)).toBe(200);
});

test('a request that ends twice, as by its answer and its connection, counts once', () => {
  let now = 0;
  const shedder = new LoadShedder({ ...limits, alwaysAdmitted: 1, budgetMs: 100 }, () => now);
  const work = shedder.begin('A');
  shedder.begin('A');
  now = 150;
  work.end();
  work.cancel();
  now = 210;
  expect(shedder.overloadedBy('A')).toBe('tenant');
});

test('of many that come at once, each counts before the next is decided on', async () => {
  const app = fastify();
  let now = 0;
  shedLoad(
    app,
    (_request, response) => response.writeHead(429).end(),
    new LoadShedder(limits, () => now),
  );
  // As who calls is asked for.
  app.addHook('onRequest', async () => {
    await sleep(20);
  });
  const waiting: (() => void)[] = [];
  app.post('/api/fleets/v1/FR/XYZ/wait', async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return {};
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const headers = { 'content-type': 'application/json' };
  const post = async () => {
    const path = '/api/fleets/v1/FR/XYZ/wait';
    return (await send(url, { method: 'POST', path, headers, body: '{}' })).status;
  };
  try {
    const first = Array.from({ length: 4 }, post);
    await expect.poll(() => waiting.length).toBe(4);
    now += limits.windowMs;
    expect(await post()).toBe(429);
    waiting.shift()?.();
    expect(await Promise.race(first)).toBe(200);
    let refused = 0;
    const burst = Array.from({ length: 20 }, async () => {
      const status = await post();
      if (status === 429) refused += 1;
      return status;
    });
    // Whoever comes after the others are answered is admitted.
    await expect.poll(() => [waiting.length, refused]).toEqual([4, 19]);
    for (const release of waiting) release();
    const statuses = await Promise.all(burst);
    expect(statuses.filter((status) => status === 200)).toEqual([200]);
  } finally {
    for (const release of waiting) release();
    await app.close();
  }
});

/** A service that is told when to answer, and is never done with asking who callers of tenants but FR-XYZ are. */
async function startGuarded() {
  const app = fastify({ rewriteUrl: ({ url = '' }) => originForm(url) });
  let now = 0;
  shedLoad(
    app,
    (_request, response, by) => response.writeHead(by === 'tenant' ? 429 : 503).end(),
    new LoadShedder(limits, () => now),
  );
  const waiting: (() => void)[] = [];
  const unknown: (() => void)[] = [];
  app.addHook('onRequest', (request, reply, done) => {
    startInTurn(reply.raw, () => {
      const { code = 'XYZ' } = request.params as { code?: string };
      if (code === 'XYZ') done();
      else unknown.push(() => done(new Error('nobody knows the caller')));
    });
  });
  app.get('/large', async () => 'x'.repeat(1_000_000));
  app.get('/api/fleets/v1/:country/:code/quick', async () => ({}));
  app.get('/api/fleets/v1/:country/:code/wait', async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return {};
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    for (const release of [...waiting, ...unknown]) release();
    app.server.closeAllConnections();
    await app.close();
  });
  return {
    url,
    waiting,
    unknown,
    get: async (path: string) => (await send(url, { path })).status,
    endWindow() {
      now += limits.windowMs;
    },
  };
}

const quick = '/api/fleets/v1/FR/XYZ/quick';
const rawGet = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

test('requests that wait behind unread answers of their connection refuse nobody', async () => {
  const service = await startGuarded();
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1').pause();
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  const madeUp = Array.from({ length: 40 }, (_, index) => `/api/fleets/v1/AA/${index}/quick`);
  const unread = Array.from({ length: 20 }, () => '/large');
  socket.write([...unread, ...madeUp].map(rawGet).join(''));
  // Once an answer has come, all of the requests have been parsed.
  await once(socket, 'readable');
  service.endWindow();
  expect(await service.get(quick)).toBe(200);
});

test('tenants that are made up have one part together', async () => {
  const service = await startGuarded();
  service.get('/api/fleets/v1/FR/XYZ/wait').catch(() => {});
  await expect.poll(() => service.waiting.length).toBe(1);
  for (let index = 0; index < 5; index += 1)
    service.get(`/api/fleets/v1/AA/${index}/quick`).catch(() => {});
  await expect.poll(() => service.unknown.length).toBe(5);
  service.endWindow();
  expect(await service.get(quick)).toBe(200);
});

test.each([
  ['with escapes', '/%61pi/fleets/v1/F%52/XYZ/quick'],
  ['with a host', `http://a${quick}`],
])('a path %s is that of the same tenant', async (_name, path) => {
  const service = await startGuarded();
  expect(await service.get(path)).toBe(200);
  for (let index = 0; index < 4; index += 1)
    service.get('/api/fleets/v1/FR/XYZ/wait').catch(() => {});
  await expect.poll(() => service.waiting.length).toBe(4);
  service.endWindow();
  expect(await service.get(path)).toBe(429);
});

/** A service that knows the token `known` at once, and has to ask for the others until it is told who they are. */
async function startAuthenticating() {
  const app = fastify();
  let now = 0;
  shedLoad(
    app,
    (_request, response, by) => response.writeHead(by === 'tenant' ? 429 : 503).end(),
    new LoadShedder(limits, () => now),
  );
  const asked: ((principal: Principal | undefined) => void)[] = [];
  const waiting: (() => void)[] = [];
  const principal = { provider: 'FR-XYZ' } as Principal;
  const onRequest = authenticationHook((token) =>
    token === 'known' ? principal : new Promise((resolve) => asked.push(resolve)),
  );
  app.setErrorHandler((error: { status?: number }, _request, reply) =>
    reply.code(error.status ?? 500).send(),
  );
  const provider = '/api/fleets/v1/:assetProviderCountryCode/:assetProviderCode';
  app.get(`${provider}/quick`, { onRequest }, async () => ({}));
  app.route({
    method: ['GET', 'POST'],
    url: `${provider}/wait`,
    onRequest,
    handler: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return {};
    },
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    for (const answer of asked) answer(undefined);
    for (const release of waiting) release();
    app.server.closeAllConnections();
    await app.close();
  });
  const sendAs = async (token: string, name: string, body?: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const path = `/api/fleets/v1/FR/XYZ/${name}`;
    const method = body === undefined ? 'GET' : 'POST';
    return (await send(url, { method, path, headers, ...(body !== undefined && { body }) })).status;
  };
  return {
    asked,
    waiting,
    principal,
    sendAs,
    endWindow() {
      now += limits.windowMs;
    },
  };
}

test('of tokens that have to be looked at, however many, none refuses those of known callers', async () => {
  const { sendAs, asked, endWindow } = await startAuthenticating();
  expect(await sendAs('known', 'quick')).toBe(200);
  const strangers = Array.from({ length: 40 }, (_, index) => sendAs(`made-up-${index}`, 'quick'));
  await expect.poll(() => asked.length).toBe(40);
  endWindow();
  expect(await sendAs('known', 'quick')).toBe(200);
  const first = sendAs('new', 'quick');
  await expect.poll(() => asked.length).toBe(41);
  asked.pop()?.({ provider: 'FR-XYZ' } as Principal);
  expect(await first).toBe(200);
  for (const answer of asked) answer(undefined);
  expect(new Set(await Promise.all(strangers))).toEqual(new Set([401]));
});

test.each([
  ['without a body', undefined],
  ['with a body', '{}'],
])(
  'requests %s whose callers become known at once are decided on one after the other',
  async (_name, body) => {
    const { sendAs, asked, waiting, principal, endWindow } = await startAuthenticating();
    expect(await sendAs('known', 'quick')).toBe(200);
    const statuses: number[] = [];
    const sent = Array.from({ length: 20 }, async (_, index) => {
      statuses.push(await sendAs(`new-${index}`, 'wait', body));
    });
    await expect.poll(() => asked.length).toBe(20);
    const held = Array.from({ length: 4 }, () => sendAs('known', 'wait'));
    await expect.poll(() => waiting.length).toBe(4);
    endWindow();
    expect(await sendAs('known', 'quick')).toBe(429);
    waiting.shift()?.();
    expect(await Promise.race(held)).toBe(200);
    for (const answer of asked) answer(principal);
    await expect.poll(() => statuses).toEqual(Array(19).fill(429));
    expect(waiting).toHaveLength(4);
    for (const release of waiting) release();
    await Promise.all([...sent, ...held]);
    expect(statuses.at(-1)).toBe(200);
  },
);
