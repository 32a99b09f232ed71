import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test.each([
  ['text/html', 'html'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'html'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  // Nothing but the names counts: to weigh them takes a second where there are many.
  ['application/json;q=0.1, text/html', 'json'],
])(
  'an error at the pages of the realm is told to whoever accepts %s as %s',
  async (accept, type) => {
    const path = '/realms/DE-ABC/protocol/openid-connect/logout?id_token_hint=none';
    const { status, headers } = await service.send({ path, headers: { accept } });
    expect([status, headers['content-type']]).toEqual([400, expect.stringContaining(type)]);
  },
);

test.each(['auth', 'logout', 'logout/success', 'token'])(
  'an address of %s with more than 100 parameters is refused before any is read',
  async (endpoint) => {
    const send = (count: number) =>
      service.send({
        method: endpoint === 'token' ? 'POST' : 'GET',
        path: `/realms/DE-ABC/protocol/openid-connect/${endpoint}?${'a&'.repeat(count - 1)}a`,
      });
    expect((await send(100)).text).not.toContain('more than 100 parameters');
    const { status, text } = await send(101);
    expect([status, text]).toEqual([400, expect.stringContaining('more than 100 parameters')]);
  },
);
