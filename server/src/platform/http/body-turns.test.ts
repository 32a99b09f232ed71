import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { serveOperations, testOperation } from '../../testing/serve-operations.ts';
import { largeBodyBytes } from './body-turns.ts';
import { operation } from './operation.ts';

let turn = 0;
let begun: { provider: string; turn: number }[] = [];
beforeEach(() => {
  begun = [];
});

const schema = Type.Object({ text: Type.String({ maxLength: 100_000 }) });
type Input = { provider: { id: string } };
const handler = async ({ provider }: Input) => {
  begun.push({ provider: provider.id, turn });
  return { status: 200 as const, body: {} };
};
const app = serveOperations([
  operation({
    ...testOperation,
    id: 'createText',
    method: 'POST',
    path: '/text',
    body: { schema, required: true, examples: {} },
    handler,
  }),
  operation({
    ...testOperation,
    id: 'createTexts',
    method: 'POST',
    path: '/texts',
    batch: { schema, maxMessages: 10_000, maxBytes: 1_000_000, example: [] },
    handler,
  }),
]);

function send(provider: string, path: string, payload: string) {
  return app.inject({
    method: 'POST',
    url: `/api/fleets/v1/${provider.replace('-', '/')}${path}`,
    headers: { authorization: `Bearer ${provider}`, 'content-type': 'application/json' },
    payload,
  });
}

/** Counts the turns of the event loop while requests are answered. */
async function answered(requests: ReturnType<typeof send>[]) {
  let isDone = false;
  const answers = Promise.all(requests).finally(() => {
    isDone = true;
  });
  for (; !isDone; turn++) await setImmediate();
  return (await answers).map(({ statusCode }) => statusCode);
}

const large = JSON.stringify({ text: 'a'.repeat(largeBodyBytes) });
const batch = JSON.stringify(Array(3).fill({ text: 'a'.repeat(12_000) }));
// Validators are compiled with the first body, which counts as long work.
beforeAll(async () => {
  for (const [path, body] of [
    ['/text', large],
    ['/texts', batch],
  ] as const)
    for (let time = 0; time < 5; time++) await send('DE-ABC', path, body);
});
const distinctTurns = () => new Set(begun.map(({ turn }) => turn)).size;

test.each([
  ['of JSON', '/text', large],
  ['of a batch', '/texts', batch],
])('large bodies %s that come together begin in turns of their own', async (_what, path, body) => {
  const requests = Array.from({ length: 10 }, () => send('DE-ABC', path, body));
  expect(new Set(await answered(requests))).toEqual(new Set([200]));
  expect(distinctTurns()).toBe(10);
});

test('another provider waits for one of them', async () => {
  const many = Array.from({ length: 5 }, () => send('DE-ABC', '/text', large));
  await answered([...many, send('FR-XYZ', '/text', large)]);
  expect(begun.findIndex(({ provider }) => provider === 'FR-XYZ')).toBe(1);
});

test('small ones do not wait', async () => {
  await answered(Array.from({ length: 10 }, () => send('DE-ABC', '/text', '{"text":"a"}')));
  expect(distinctTurns()).toBeLessThan(10);
});

test('one that is invalid is answered, and the next begins', async () => {
  const invalid = [`${large}!`, JSON.stringify({ text: 1, more: large })];
  const requests = [...invalid, large].map((body) => send('DE-ABC', '/text', body));
  expect(await answered(requests)).toEqual([400, 400, 200]);
});
