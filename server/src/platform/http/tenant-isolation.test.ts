import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireContract } from '../../testing/contract/document.ts';
import { lockTable } from '../../testing/lock-table.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** What requests of one provider leave to those of others. */

let service: TestService;
let impatient: TestService;
beforeAll(async () => {
  service = await startTestService();
  impatient = await startTestService({ database: service.database, statementTimeoutMs: 2_000 });
});
afterAll(async () => {
  await impatient.stop();
  await service.stop();
});

async function search(realm: string, { body = {}, at = service } = {}) {
  const path = `/api/fleets/v1/${realm.replace('-', '/')}/vehicles`;
  const answer = await at.send({
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${await at.token(realm)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  requireContract('POST', path, answer);
  return answer;
}

/** A vehicle of the provider whose row is locked until it is released. */
async function lockVehicle() {
  await service.call('PUT', '/DE*ABC*locked', { information: { vendor: 'VW' } });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve } = Promise.withResolvers<void>();
  const done = service.db.transaction(async (tx) => {
    await tx.query(`select from vehicles where id = 'DE*ABC*locked' for update`);
    resolve();
    await released;
  });
  await locked;
  return async () => {
    release();
    await done;
  };
}

test('while requests of one provider wait in the database, those of another are served', async () => {
  const unlock = await lockVehicle();
  const put = (vendor: string) =>
    service.call('PUT', '/DE*ABC*locked', { information: { vendor } }).then(({ status }) => status);
  const waiting = Array.from({ length: 20 }, (_, number) => put(`VW ${number}`));
  for (let turn = 0; turn < 5; turn++) expect((await search('FR-XYZ')).status).toBe(200);
  await unlock();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([200]));
});

test('a provider whose requests fill its queue is answered with 429, another is served', async () => {
  const unlock = await lockVehicle();
  const token = await service.token();
  const put = () =>
    service.send({
      method: 'PUT',
      path: '/api/fleets/v1/DE/ABC/DE*ABC*locked',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"information":{"vendor":"VW"}}',
    });
  const sent = Array.from({ length: 520 }, put);
  try {
    const refused = await Promise.race(
      sent.map(async (one) => ((await one).status === 429 ? one : new Promise<never>(() => {}))),
    );
    expect(refused.headers['retry-after']).toBe('2');
    // Before or at the queue of the database, by when they come.
    expect(refused.json).toMatchObject({
      type: problemType('too-many-requests'),
      detail: expect.stringMatching(/of this asset provider .*: send fewer at a time\.$/),
    });
    expect((await search('FR-XYZ')).status).toBe(200);
  } finally {
    await unlock();
  }
  const statuses = new Set((await Promise.all(sent)).map(({ status }) => status));
  expect(statuses).toEqual(new Set([200, 429]));
});

test('the view of a customer, which counts and sorts all of its records, has the time of a search', async () => {
  const unlock = await lockTable(service.db, 'logbook_entries');
  const answer = await impatient.send({
    path: '/api/fleets/v1/DE/ABC/users/DE/MOB/52610fa1-c447-4ecb-95bc-7f8f6cc69ff9',
    headers: { authorization: `Bearer ${await impatient.token()}` },
  });
  await unlock();
  expect([answer.status, answer.json.type]).toEqual([503, problemType('query-too-expensive')]);
});

test('a search that takes too long says so, and another request that the database does not answer', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve } = Promise.withResolvers<void>();
  const lock = service.db.transaction(async (tx) => {
    await tx.query('lock table vehicles in access exclusive mode');
    resolve();
    await released;
  });
  await locked;
  const [found, read] = await Promise.all([
    search('DE-ABC', {
      body: { filters: [{ field: 'vendor', value: 'VW' }] },
      at: impatient,
    }),
    impatient.send({
      path: '/api/fleets/v1/DE/ABC/DE*ABC*none',
      headers: { authorization: `Bearer ${await impatient.token()}` },
    }),
  ]);
  release();
  await lock;
  expect(found.status).toBe(503);
  expect(found.headers['retry-after']).toBe('10');
  expect(found.json).toMatchObject({
    type: problemType('query-too-expensive'),
    detail: expect.stringContaining('narrow the search'),
  });
  expect(read.json.type).toEqual(problemType('unavailable'));
});
