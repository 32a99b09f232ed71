import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase, type Queryable } from '../platform/db/database.ts';
import { testSecrets } from '../testing/global-setup.ts';
import { lockWaits } from '../testing/lock-waits.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { type EndedSignIns, replaceSignInKeys } from './replace-sign-in-keys.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(() => service.db.query('delete from oidc_records'));

/** More than one batch of each kind. */
const many = 1_200;

const addRecords = (provider: string, kind: string, payload: object) =>
  service.db.query(
    `insert into oidc_records (provider, kind, id, uid, payload, expires_at)
     select $1, $2, number, number, $3, now() + interval '1 hour' from generate_series(1, $4) number`,
    [provider, kind, payload, many],
  );

const lockSession = (tx: Queryable, id: number) =>
  tx.query(
    `select from oidc_records where provider = 'FR-XYZ' and kind = 'Session' and id = $1 for update`,
    [String(id)],
  );

const usableRecords = () =>
  service.db.query(
    `select provider, kind, count(*)::int as count from oidc_records
     where kind <> 'Session' or consumed_at is null group by 1, 2 order by 1, 2`,
  );

test('many sign-ins of all providers end, and those that are left when it fails by the next one', async () => {
  for (const provider of ['DE-ABC', 'FR-XYZ']) {
    await addRecords(provider, 'Session', { accountId: 'somebody' });
    await addRecords(provider, 'Grant', {});
    await addRecords(provider, 'RefreshToken', {});
  }
  const impatient = openDatabase(service.database.connection, {
    poolSize: 1,
    statementTimeoutMs: 500,
    secrets: testSecrets,
  });
  try {
    await service.db.transaction(async (tx) => {
      await lockSession(tx, 1);
      await expect(replaceSignInKeys(impatient)).rejects.toThrow('timeout');
    });
    expect(await usableRecords()).toEqual([
      { provider: 'FR-XYZ', kind: 'Grant', count: many },
      { provider: 'FR-XYZ', kind: 'RefreshToken', count: many },
      { provider: 'FR-XYZ', kind: 'Session', count: many },
    ]);
  } finally {
    await impatient.close();
  }
  expect(await replaceSignInKeys(service.db)).toEqual({
    sessions: many,
    refreshTokens: many,
    recoveryCodes: 0,
  });
  expect(await usableRecords()).toEqual([]);
});

test('sign-ins also end where others lock them in another order', async () => {
  await addRecords('FR-XYZ', 'Session', { accountId: 'somebody' });
  let replacing: Promise<EndedSignIns> | undefined;
  await service.db
    .transaction(async (tx) => {
      await lockSession(tx, 2);
      replacing = replaceSignInKeys(service.db);
      await expect.poll(() => lockWaits(tx)).toBe(1);
      await lockSession(tx, 1);
    })
    // Of the two that wait for each other, the database ends the one that has waited longer.
    .catch((error) => expect(error).toMatchObject({ code: '40P01' }));
  expect(await replacing).toMatchObject({ sessions: many });
});
