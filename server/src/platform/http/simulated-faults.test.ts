import { afterAll, beforeAll, expect, test } from 'vitest';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let demo: TestService;
let service: TestService;
beforeAll(async () => {
  demo = await startTestService({ simulatesFaults: true });
  service = await startTestService({ database: demo.database });
});
afterAll(async () => {
  await service.stop();
  await demo.stop();
});

const path = '/DE*ABC*simulated';
const put = async (on: TestService, simulate: string) =>
  on.send({
    method: 'PUT',
    path: `/api/fleets/v1/DE/ABC${path}`,
    headers: {
      authorization: `Bearer ${await on.token()}`,
      'content-type': 'application/json',
      'motorpool-simulate': simulate,
    },
    body: JSON.stringify({ information: { vendor: 'VW' } }),
  });

test.each([
  ['status=503', 503, 'unavailable'],
  ['status=429, delay=5', 429, 'too-many-requests'],
  ['status=500;delay=5', 500, 'internal-server-error'],
  ['status=401', 401, 'unauthorized'],
  ['status=409', 409, undefined],
])('the demo answers %s, and executes nothing', async (simulate, status, kind) => {
  const answer = await put(demo, simulate);
  expect([answer.status, answer.json.type]).toEqual([
    status,
    kind ? problemType(kind) : 'about:blank',
  ]);
  expect(answer.json.detail).toContain('Simulated');
  expect('retry-after' in answer.headers).toBe(status === 429 || status === 503);
  expect((await demo.call('GET', path)).status).toBe(404);
});

test.each(['', 'status=200', 'status=999', 'delay=60001', 'delay=-1', '503', 'delay=5 nonsense'])(
  'what is not understood is 400: %s',
  async (simulate) => {
    const { status, json } = await put(demo, simulate);
    expect([status, json.type]).toEqual([400, problemType('invalid-simulation')]);
  },
);

test('a delay comes before the answer', async () => {
  const begun = performance.now();
  const { status } = await put(demo, 'delay=300');
  expect([status, performance.now() - begun >= 299]).toEqual([201, true]);
});

test('a service ignores it, and does not document it', async () => {
  expect((await put(service, 'status=503')).status).toBe(200);
  const described = async (on: TestService) => (await on.send({ path: '/openapi.json' })).text;
  expect(await described(demo)).toContain('Motorpool-Simulate');
  expect(await described(service)).not.toContain('Motorpool-Simulate');
});
