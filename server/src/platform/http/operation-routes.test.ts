import { expect, test } from 'vitest';
import { serveOperations, testOperation } from '../../testing/serve-operations.ts';
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
