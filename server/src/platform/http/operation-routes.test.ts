import Type from 'typebox';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveOperations, testOperation } from '../../testing/serve-operations.ts';
import { longWork } from '../pace.ts';
import { JsonText, operation } from './operation.ts';

const app = serveOperations([
  operation({
    ...testOperation,
    id: 'getText',
    method: 'GET',
    path: '/text',
    handler: async () => ({
      status: 200,
      headers: { etag: '"1"' },
      body: new JsonText('{"name": "Tür"}'),
    }),
  }),
  operation({
    ...testOperation,
    id: 'checkSlowly',
    method: 'POST',
    path: '/slow',
    body: {
      schema: Type.Object({ ms: Type.Number(), isWrong: Type.Boolean() }),
      required: true,
      examples: {},
      rules({ ms, isWrong }) {
        const begun = process.threadCpuUsage();
        while (process.threadCpuUsage(begun).user < ms * 1_000);
        return isWrong ? [{ pointer: '/isWrong', detail: 'It is.' }] : [];
      },
    },
    handler: async () => ({ status: 200 }),
  }),
]);

test('JSON text of a handler is sent as it is, as JSON', async () => {
  const { body, headers } = await app.inject({
    url: '/api/fleets/v1/DE/ABC/text',
    headers: { authorization: 'Bearer DE-ABC' },
  });
  expect(body).toBe('{"name": "Tür"}');
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': '16',
    'cache-control': 'no-store',
    etag: expect.stringMatching(/^"1\.[\w-]{16}"$/),
  });
});

test.each([
  [200, false],
  [400, true],
])(
  'a body that takes long to be validated goes on at the pace of its tenant (%d)',
  async (status, isWrong) => {
    const begun = vi.spyOn(longWork, 'begin');
    onTestFinished(() => begun.mockRestore());
    const send = (ms: number) =>
      app.inject({
        method: 'POST',
        url: '/api/fleets/v1/DE/ABC/slow',
        headers: { authorization: 'Bearer DE-ABC' },
        payload: { ms, isWrong },
      });
    expect((await send(10)).statusCode).toBe(status);
    expect(begun.mock.calls).toEqual([['DE-ABC', expect.any(Number)]]);
    expect(begun.mock.calls[0]?.[1]).toBeGreaterThanOrEqual(10);
  },
);
