import { afterAll, beforeAll, expect, test, vi } from 'vitest';
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

/** Holds a timer of this delay, which nothing else has, until it is ended. */
function holdTimer(delayMs: number): { begun: Promise<void>; end(): void } {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  let end = () => {};
  const start = globalThis.setTimeout;
  const hold = (run: () => void, ms?: number, ...rest: []) => {
    if (ms !== delayMs) return start(run, ms, ...rest);
    end = run;
    begin();
    return start(() => {}, 0);
  };
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(hold as typeof start);
  return { begun, end: () => end() };
}

test('a delay of that many milliseconds comes before anything is executed', async () => {
  const timer = holdTimer(54_321);
  let isAnswered = false;
  const answered = put(demo, 'delay=54321').finally(() => {
    isAnswered = true;
  });
  await timer.begun;
  expect((await demo.call('GET', path)).status).toBe(404);
  expect(isAnswered).toBe(false);
  timer.end();
  expect((await answered).status).toBe(201);
  vi.restoreAllMocks();
});

test('a service ignores it, and does not document it', async () => {
  expect((await put(service, 'status=503')).status).toBe(200);
  const described = async (on: TestService) => (await on.send({ path: '/openapi.json' })).text;
  expect(await described(demo)).toContain('Motorpool-Simulate');
  expect(await described(service)).not.toContain('Motorpool-Simulate');
});
