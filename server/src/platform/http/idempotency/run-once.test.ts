import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../testing/test-service.ts';
import { Problem, unauthorized } from '../problem.ts';
import { runOnce } from './run-once.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const request = {
  provider: 'DE-ABC',
  id: 'key',
  lock: 1n,
  fingerprint: () => createHash('sha256'),
};

test('what a refused handler has left running is not written with the refusal', async () => {
  let late: Promise<unknown> | undefined;
  const refused = runOnce(service.db, request, {}, async (db) => {
    late = db
      .query('select 1')
      .then(() =>
        db.query(
          `insert into status_watchers (provider, watcher, watches_until) values ('DE-ABC', gen_random_uuid(), now())`,
        ),
      );
    late.catch(() => {});
    throw new Problem(409, 'conflict', 'Refused');
  });
  await expect(refused).rejects.toThrow('Refused');
  await expect(late).rejects.toThrow('has ended');
  expect(await service.db.query('select watcher from status_watchers')).toEqual([]);
});

test('what another token may do is not kept for one that was refused', async () => {
  const keyed = { ...request, id: 'revoked meanwhile', lock: 2n };
  const refused = runOnce(service.db, keyed, {}, async () => {
    throw unauthorized('DE-ABC', true);
  });
  await expect(refused).rejects.toMatchObject({ status: 401 });
  const answer = await runOnce(service.db, keyed, {}, async () => ({ status: 204 }));
  expect(answer.status).toBe(204);
});
