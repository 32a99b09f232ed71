import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cuttableProxy } from '../../testing/cuttable-proxy.ts';
import { testCredentials } from '../../testing/global-setup.ts';
import { lockTable } from '../../testing/lock-table.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { problemType } from '../../testing/problem-type.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { buildInfo } from '../build-info.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    timeouts: { headersMs: 300, bodyMs: 600, idleMs: 400, lingerMs: 300, checkMs: 50 },
    statementTimeoutMs: 500,
  });
});
afterAll(() => service.stop());

const vehicle = { information: { vendor: 'VW' } };

describe('request id', () => {
  test.each(['a', 'A-z_09', 'x'.repeat(64)])('%s is echoed', async (id) => {
    const { headers } = await service.send({
      path: '/health/live',
      headers: { 'x-request-id': id },
    });
    expect(headers['x-request-id']).toBe(id);
  });

  test.each(['', 'x'.repeat(65), 'a b', 'a"b', 'ä', 'a,b'])(
    '"%s" is replaced by a new one',
    async (id) => {
      const { headers } = await service.send({
        path: '/health/live',
        headers: { 'x-request-id': id },
      });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('is in the problem and in the log', async () => {
    const { json } = await service.call('GET', '/DE*ABC*none', undefined, {
      'x-request-id': 'find-me',
    });
    expect(json.requestId).toBe('find-me');
    expect(
      service.log.some((line) => line.includes('"find-me"') && line.includes('/DE*ABC*none')),
    ).toBe(true);
  });
});

test('a request whose client hangs up before the answer is logged as aborted, once', async () => {
  const unlock = await lockTable(service.db, 'vehicles');
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.write(
    `GET /api/fleets/v1/DE/ABC/DE*ABC*none HTTP/1.1\r\nHost: a\r\nX-Request-Id: hung-up\r\n` +
      `Authorization: Bearer ${await service.token()}\r\n\r\n`,
  );
  await sleep(200);
  socket.resetAndDestroy();
  const lines = () =>
    service.log.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === 'hung-up');
  await expect.poll(() => lines().at(0)).toMatchObject({ msg: 'aborted', status: 499 });
  await unlock();
  await sleep(100);
  expect(lines().filter(({ msg }) => ['aborted', 'answered'].includes(msg))).toHaveLength(1);
});

test('every answer carries the security headers, errors and pages included', async () => {
  for (const path of [
    '/health/live',
    '/nowhere',
    '/docs',
    '/openapi.json',
    '/%zz',
    '/realms/DE-ABC/.well-known/openid-configuration',
  ]) {
    const { headers } = await service.send({ path });
    expect(headers, path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-request-id': expect.any(String),
    });
    expect(headers['x-powered-by']).toBeUndefined();
  }
});

test.each(['/health/live', '/realms/DE-ABC/.well-known/openid-configuration'])(
  'a target that names a host is answered as its path: %s',
  async (path) => {
    const answer = await service.send({ path: `http://other.example${path}` });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe((await service.send({ path })).text);
  },
);

test('an unknown path is a problem with 404', async () => {
  const { status, json, headers } = await service.send({
    path: '/api/fleets/v2/DE/ABC/vehicles?x=1',
  });
  expect([status, headers['content-type']]).toEqual([404, 'application/problem+json']);
  expect(json.instance).toBe('/api/fleets/v2/DE/ABC/vehicles');
});

/** Writes to a raw connection; returns all that was received until it closed. */
function exchange(...parts: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    let received = '';
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('close', () => resolve(received)).on('error', reject);
    for (const part of parts) socket.write(part);
  });
}

test('a refusal while the body is still being sent can be read, also late', async () => {
  const patient = await startTestService();
  const token = await patient.token();
  const socket = connect(Number(new URL(patient.url).port), '127.0.0.1').pause();
  let received = '';
  const closed = new Promise<void>((resolve, reject) => {
    socket.on('data', (data) => {
      received += data;
      socket.destroy();
    });
    socket.on('close', () => resolve()).on('error', reject);
  });
  socket.write(
    `POST /api/fleets/v1/DE/ABC/vehicles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  const megabyte = Buffer.from(`f4240\r\n${' '.repeat(1_000_000)}\r\n`);
  for (let count = 0; count < 30; count++) socket.write(megabyte);
  await vi.waitFor(() =>
    expect(patient.log.some((line) => line.includes('"status":413'))).toBe(true),
  );
  socket.write(megabyte);
  await sleep(100);
  socket.resume();
  await closed.finally(() => patient.stop());
  expect(received).toMatch(/^HTTP\/1\.1 413 .*body-too-large/s);
});

test('a request that names several hosts is a problem with 400', async () => {
  const request = (...hosts: string[]) =>
    exchange(
      `GET /health/live HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`,
    );
  expect(await request('a', 'b')).toMatch(/^HTTP\/1\.1 400 .*several Host headers/s);
  expect(await request('a')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a request that names no host is a problem with 400 and ends the connection, except of HTTP/1.0', async () => {
  const received = await exchange(
    'GET /health/live HTTP/1.1\r\n\r\nGET /health/live HTTP/1.1\r\nHost: a\r\n\r\n',
  );
  expect(received).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*no Host header/s);
  expect(received).not.toContain('200 OK');
  expect(await exchange('GET /health/live HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a request has at most 200 headers, however short they are', async () => {
  const request = (count: number) => {
    const headers = Array.from({ length: count - 2 }, (_, number) => `x${number}:\r\n`);
    return exchange(
      `GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers.join('')}\r\n`,
    );
  };
  expect(await request(200)).toMatch(/^HTTP\/1\.1 200 /);
  for (const count of [201, 202, 2_000])
    expect(await request(count)).toMatch(/^HTTP\/1\.1 431 .*application\/problem\+json/s);
});

test('an expectation that is not known is ignored', async () => {
  const received = await exchange(
    'GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: more\r\nConnection: close\r\n\r\n',
  );
  expect(received).toMatch(/^HTTP\/1\.1 200 .*x-request-id/s);
});

describe('time limits', () => {
  test('headers that never end are cut off with 408', async () => {
    const received = await exchange('GET /health/live HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    expect(received).toMatch(/^HTTP\/1\.1 408 .*application\/problem\+json/s);
  });

  test('a body that never comes is cut off', async () => {
    const received = await exchange(
      `POST /api/fleets/v1/DE/ABC/vehicles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await service.token()}\r\n`,
      'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    );
    expect(received).not.toContain('200 OK');
  });

  test.each([
    ['a 401', 'POST /api/fleets/v1/DE/ABC/vehicles', '401'],
    ['a 401 of an upload', 'PUT /api/fleets/v1/DE/ABC/DE*ABC*V1/blobs/logbook/a/b', '401'],
    ['a 405', 'PUT /api/fleets/v1/DE/ABC/vehicles', '405'],
    ['a path that is no UTF-8', 'POST /%zz', '400'],
  ])('a body that trickles in is cut off after %s', async (_what, line, status) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const answered = new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
    const closed = new Promise((resolve) => socket.once('close', resolve).on('error', () => {}));
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n`);
    const trickle = setInterval(() => socket.write('{'), 20);
    expect(await answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    await closed;
    clearInterval(trickle);
  });

  test('a connection goes on after a refusal, once the body is there', async () => {
    const head =
      'POST /api/fleets/v1/DE/ABC/vehicles HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n';
    const received = await exchange(`${head}{`, '}', `${head}{}`);
    expect(received.match(/HTTP\/1\.1 401/g)).toHaveLength(2);
  });

  test('a body that comes in pieces, and in time, is read', async () => {
    const head = `POST /api/fleets/v1/DE/ABC/vehicles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${await service.token()}\r\n`;
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const answered = new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
    for (const part of [
      `${head}Content-Type: application/json\r\n`,
      'Content-Length: 2\r\n\r\n{',
      '}',
    ]) {
      socket.write(part);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await answered).toContain('200 OK');
    socket.destroy();
  });

  test('an idle connection is closed', async () => {
    const received = await exchange('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(received).toContain('200 OK');
  });

  test('what is no HTTP is answered with a problem', async () => {
    expect(await exchange('HELO example.com\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"status":400/s);
  });
});

test('the type of a problem is at the public address, whatever host a request names', async () => {
  const { json } = await service.send({
    path: '/nowhere',
    headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
  });
  expect(json.type).toBe(`${service.url}/problems/no-such-path`);
});

test('the line of a request has operation, provider, client and duration', async () => {
  const { headers } = await service.call('GET', '/DE*ABC*none');
  const lines = service.log.map((line) => JSON.parse(line));
  expect(lines.find(({ reqId }) => reqId === headers['x-request-id'])).toMatchObject({
    ...{ operation: 'getVehicle', provider: 'DE-ABC', client: testCredentials.clientId },
    ...{ method: 'GET', status: 404, durationMs: expect.any(Number) },
  });
});

test('a process that does not know how to use the schema is not ready', async () => {
  const readiness = async () => (await service.send({ path: '/health/ready' })).status;
  const insert = 'insert into schema_migrations (version, name) values (9000, $1)';
  const remove = 'delete from schema_migrations where version = 9000';
  await service.owner.query(insert, ['expand-further']);
  expect(await readiness()).toBe(200);
  await service.owner.query(remove);
  await service.owner.query(insert, ['contract-further']);
  expect(await readiness()).toBe(503);
  await service.owner.query(remove);
  expect(await readiness()).toBe(200);
  await service.owner.query('update schema_migrations set version = -version');
  expect(await readiness()).toBe(503);
  await service.owner.query('update schema_migrations set version = -version');
  expect(await readiness()).toBe(200);
});

describe('when the database is unavailable', () => {
  test('the first request that fails is logged, not each of them', async () => {
    const database = await createTestDatabase();
    const proxy = await cuttableProxy(database.connection);
    const behindProxy = await startTestService({
      database: { ...database, connection: proxy.connection },
    });
    try {
      const authorization = `Bearer ${await behindProxy.token()}`;
      await proxy.cut();
      for (let count = 0; count < 20; count += 1) {
        const path = '/api/fleets/v1/DE/ABC/DE*ABC*none';
        const { status } = await behindProxy.send({ path, headers: { authorization } });
        expect(status).toBe(503);
      }
      expect(behindProxy.log.filter((line) => line.includes('"err"'))).toHaveLength(1);
    } finally {
      await behindProxy.stop();
      await database.drop();
    }
  });

  test('requests are answered 503 with Retry-After, tokens too, and it recovers by itself', async () => {
    const database = await createTestDatabase();
    const proxy = await cuttableProxy(database.connection);
    const behindProxy = await startTestService({
      database: { ...database, connection: proxy.connection },
    });
    try {
      expect((await behindProxy.call('PUT', '/DE*ABC*kept', vehicle)).status).toBe(201);
      await proxy.cut();
      const read = await behindProxy.send({
        path: '/api/fleets/v1/DE/ABC/DE*ABC*kept',
        headers: { authorization: `Bearer ${await behindProxy.token()}` },
      });
      expect(read.json).toMatchObject({
        status: 503,
        type: problemType('unavailable'),
        detail: 'The database does not answer; try again shortly.',
      });
      expect(read.headers['retry-after']).toBe('2');
      const token = await behindProxy.send({
        method: 'POST',
        path: '/realms/DE-ABC/protocol/openid-connect/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'grant_type=client_credentials&client_id=demo-client&client_secret=demo-secret',
      });
      expect([token.status, token.headers['retry-after']]).toEqual([503, '2']);
      expect((await behindProxy.send({ path: '/health/live' })).status).toBe(200);
      expect((await behindProxy.send({ path: '/health/ready' })).status).toBe(503);
      await proxy.restore();
      expect((await behindProxy.call('GET', '/DE*ABC*kept')).status).toBe(200);
      expect((await behindProxy.send({ path: '/health/ready' })).status).toBe(200);
    } finally {
      await behindProxy.stop();
      await proxy.cut();
      await database.drop();
    }
  });

  test('a failed token request that cannot be recorded is answered 503, as OAuth tells it', async () => {
    const unlock = await lockTable(service.owner, 'audit_events');
    const { status, json, headers } = await service.send({
      method: 'POST',
      path: '/realms/DE-ABC/protocol/openid-connect/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials&client_id=nobody&client_secret=wrong',
    });
    await unlock();
    expect([status, json.error, headers['retry-after']]).toEqual([
      503,
      'temporarily_unavailable',
      '2',
    ]);
  });

  test('a statement that takes too long is cancelled and answered 503', async () => {
    await service.call('PUT', '/DE*ABC*locked', vehicle);
    await service.db.transaction(async (tx) => {
      await tx.query(
        "select 1 from vehicles where provider = 'DE-ABC' and id = 'DE*ABC*locked' for update",
      );
      const answer = await service.send({
        method: 'PUT',
        path: '/api/fleets/v1/DE/ABC/DE*ABC*locked',
        headers: {
          authorization: `Bearer ${await service.token()}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(vehicle),
      });
      expect(answer.status).toBe(503);
    });
    expect((await service.call('PUT', '/DE*ABC*locked', vehicle)).status).toBe(200);
  });
});

test('a stop finishes what is in flight', async () => {
  const database = await createTestDatabase();
  // Its client keeps the connection for longer than the test may take.
  const stopping = await startTestService({ database, timeouts: { idleMs: 600_000 } });
  await stopping.call('PUT', '/DE*ABC*busy', vehicle);
  const overwrite = {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${await stopping.token()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(vehicle),
  };
  let inFlight: Promise<{ status: number }> | undefined;
  let stopped: Promise<void> | undefined;
  const other = await startTestService({ database });
  await other.db.transaction(async (tx) => {
    await tx.query(
      "select 1 from vehicles where provider = 'DE-ABC' and id = 'DE*ABC*busy' for update",
    );
    inFlight = fetch(`${stopping.url}/api/fleets/v1/DE/ABC/DE*ABC*busy`, overwrite);
    while ((await lockWaits(tx)) === 0);
    stopped = stopping.stop();
  });
  expect((await inFlight)?.status).toBe(200);
  await stopped;
  await expect(stopping.send({ path: '/health/live' })).rejects.toThrow();
  await other.stop();
  await database.drop();
});

test('the health and the metrics name version and commit', async () => {
  const { status, json } = await service.send({ path: '/health' });
  expect([status, json]).toEqual([200, { status: 'ok', ...buildInfo }]);
  const labels = Object.entries(buildInfo).map(([name, value]) => `${name}="${value}"`);
  const { text } = await service.send({ path: '/metrics' });
  expect(text).toContain(`motorpool_build_info{${labels.join(',')}} 1\n`);
});

test('metrics count requests by operation', async () => {
  await service.call('GET', '/DE*ABC*none');
  const { text, headers } = await service.send({ path: '/metrics' });
  expect(headers['content-type']).toContain('text/plain');
  expect(text).toMatch(
    /motorpool_http_request_duration_seconds_count\{operation="getVehicle",method="GET",status="404"\} \d+/,
  );
  expect(text).toContain('process_resident_memory_bytes');
});

test('metrics tell how many jobs wait, and for how long', async () => {
  await service.runJobs();
  await service.call('PUT', '/DE*ABC*waiting', { information: {} });
  const { text } = await service.send({ path: '/metrics' });
  expect(text).toMatch(/motorpool_jobs_waiting\{job="estimate-inspection"\} 1\n/);
  expect(text).toMatch(/motorpool_jobs_oldest_seconds\{job="estimate-inspection"\} 0\.\d+\n/);
  expect(text).toMatch(/motorpool_jobs_waiting\{job="dead"\} 0\n/);
});

test('no token, secret or query ever stands in the log', async () => {
  const token = await service.token();
  await service.call('POST', '/vehicles', {});
  await service.send({
    path: '/realms/DE-ABC/protocol/openid-connect/auth?client_id=x&state=secret-state',
  });
  await service.send({ path: '/nowhere?access_token=secret-token' });
  const log = service.log.join('');
  expect(log).toContain('/api/fleets/v1/DE/ABC/vehicles');
  for (const secret of [token, 'demo-secret', 'secret-state', 'secret-token', 'Bearer '])
    expect(log).not.toContain(secret);
});

describe('traceparent', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const parentId = '00f067aa0ba902b7';
  const linesOf = async (traceparent: string) => {
    const id = `trace-${++sent}`;
    await service.call('GET', '/DE*ABC*none', undefined, { traceparent, 'x-request-id': id });
    return service.log.filter((line) => line.includes(`"${id}"`)).map((line) => JSON.parse(line));
  };
  let sent = 0;

  test.each([`00-${traceId}-${parentId}-01`, `cc-${traceId}-${parentId}-00-later`])(
    '%s is in the log of the request',
    async (traceparent) => {
      const lines = await linesOf(traceparent);
      expect(lines).toEqual([
        expect.objectContaining({ trace_id: traceId, parent_id: parentId, msg: 'answered' }),
      ]);
    },
  );

  test.each([
    '',
    'nonsense',
    `00-${traceId}-${parentId}`,
    `00-${traceId}-${parentId}-01-more`,
    `ff-${traceId}-${parentId}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
  ])('"%s" is ignored', async (traceparent) => {
    const [line] = await linesOf(traceparent);
    expect(line).toMatchObject({ status: 404 });
    expect(line).not.toHaveProperty('trace_id');
  });
});

describe('a refusal names what was meant', () => {
  const get = async (path: string) =>
    service.send({ path, headers: { authorization: `Bearer ${await service.token()}` } });

  test('lower-case codes are 403, with those in upper case', async () => {
    for (const codes of ['de/abc', 'DE/abc', 'De/ABC']) {
      const { status, json } = await get(`/api/fleets/v1/${codes}/profile`);
      expect([status, json.detail]).toEqual([403, expect.stringMatching(/upper case: DE\/ABC$/)]);
    }
    const { json } = await get('/api/fleets/v1/FR/XYZ/profile');
    expect(json.detail).not.toContain('upper case');
  });

  test('a slash at the end is 404, with the path', async () => {
    for (const path of ['/api/fleets/v1/DE/ABC/profile', '/docs', '/health/live']) {
      for (const slashes of ['/', '//', '/?x=1']) {
        const { status, json } = await get(path + slashes);
        expect([status, json.detail]).toEqual([
          404,
          `Nothing is served at this path. Paths end without a slash: ${path}`,
        ]);
      }
    }
    expect((await get('/nothing')).json.detail).not.toContain('slash');
  });
});

test('a body that is sent to a path or by a method that is not served is not read', async () => {
  const deep = '['.repeat(100_000);
  for (const path of ['/nothing', '/docs', '/', '/api/fleets/v1/DE/ABC/vehicles/nothing/here']) {
    const answer = await service.send({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json' },
      body: deep,
    });
    expect([path, answer.status]).toEqual([path, 404]);
  }
});
