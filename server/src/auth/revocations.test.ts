import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { addClient } from './clients.ts';
import { removeExpiredRecords } from './oidc-adapter.ts';
import { revokeTokens } from './revocations.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function clean(): Promise<void> {
  const { db, jobs } = service.dependencies;
  await db.transaction((tx) => jobs.add(tx, removeExpiredRecords, {}));
  await service.runJobs();
}

const revocations = (subject: string) =>
  service.db.query('select version from token_revocations where subject = $1', [subject]);

test('a revocation is removed a day later, and the next one still reaches the tokens of before', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { id, secret = '' } = await addClient(service.db, 'DE-ABC', { name: 'Test' });
  await revokeTokens(service.db, 'DE-ABC', id);
  await clean();
  expect(await revocations(id)).toHaveLength(1);
  // As if it were of the day before.
  await service.db.query(
    `update token_revocations
     set version = greatest(version - 90000, 1), revoked_at = now() - interval '25 hours' where subject = $1`,
    [id],
  );
  const credentials = { clientId: id, clientSecret: secret };
  const { json } = await requestToken(service.url, 'DE-ABC', credentials);
  const find = async () =>
    (
      await service.send({
        method: 'POST',
        path: '/api/fleets/v1/DE/ABC/vehicles',
        headers: { authorization: `Bearer ${json.access_token}` },
      })
    ).status;

  await clean();
  expect(await revocations(id)).toEqual([]);
  vi.setSystemTime(Date.now() + 1_000);
  expect(await find()).toBe(200);
  await revokeTokens(service.db, 'DE-ABC', id);
  vi.setSystemTime(Date.now() + 1_000);
  expect(await find()).toBe(401);
  vi.useRealTimers();
});
