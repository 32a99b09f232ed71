import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '../db/database.ts';
import { systemClock } from '../time/clock.ts';
import { JsonText, operation } from './operation.ts';
import { registerOperations } from './operation-routes.ts';
import { createServer } from './server.ts';

const app = createServer({
  logger: pino({ level: 'silent' }),
  trustProxy: false,
  secure: false,
  publicUrl: () => 'http://127.0.0.1:8080',
});
// Does not connect: the operation has no statement.
const db = openDatabase({}, { poolSize: 1, statementTimeoutMs: 1_000 });
registerOperations(
  app,
  [
    operation({
      id: 'getText',
      method: 'GET',
      path: '/text',
      tag: 'Test',
      role: 'viewer',
      origin: 'motorpool',
      summary: '',
      description: '',
      parameters: {},
      responses: { 200: { description: '' } },
      notFound: [],
      handler: async () => ({
        status: 200,
        headers: { etag: '"1"' },
        body: new JsonText('{"name": "Tür"}'),
      }),
    }),
  ],
  { clock: systemClock, db },
  async () => ({
    provider: 'DE-ABC',
    kind: 'client',
    clientId: 'test',
    subject: 'test',
    roles: ['viewer'],
    networks: undefined,
  }),
);
afterAll(() => app.close());

test('JSON text of a handler is sent as it is, as JSON', async () => {
  const { body, headers } = await app.inject({
    url: '/api/fleets/v1/DE/ABC/text',
    headers: { authorization: 'Bearer token' },
  });
  expect(body).toBe('{"name": "Tür"}');
  expect(headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'content-length': '16',
    'cache-control': 'no-store',
    etag: expect.stringMatching(/^"1\.[\w-]{16}"$/),
  });
});
