import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { createSecretBox, type SecretBox } from '../platform/secrets/secret-box.ts';
import { testCredentials, testSecretKeys, testSecrets, testUser } from '../testing/global-setup.ts';
import { lockWaits } from '../testing/lock-waits.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { rotateKey } from './keys.ts';
import { loadRealm } from './realms.ts';
import { resealSecrets, sealClearSecrets, sealSecrets, unsealSecrets } from './sealed-secrets.ts';
import { addSecondFactor } from './sign-in/second-factor.ts';
import { signInKeyLoader } from './sign-in/sign-in-key.ts';
import { userIdOf } from './user-accounts.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.stop());

async function newToken(): Promise<string> {
  const { status, json } = await requestToken(service.url, 'DE-ABC', testCredentials);
  expect(status).toBe(200);
  return json.access_token;
}

async function accepts(token: string): Promise<boolean> {
  const { status } = await service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/vehicles',
    headers: { authorization: `Bearer ${token}` },
  });
  return status === 200;
}

const stored = async () =>
  (
    await service.db.query<{ clear: boolean; sealed: string | null }>(
      `select private_jwk is not null as clear, sealed_jwk as sealed from realm_keys
       union all select value is not null, sealed_value from server_secrets`,
    )
  ).map(({ clear, sealed }) => ({ clear, key: sealed?.split('.')[0] }));

const unseal = () => service.db.transaction(unsealSecrets);
const dayPassed = () =>
  service.owner.query(`update schema_migrations set run_at = now() - interval '25 hours'`);
const runJob = () =>
  service.db.transaction((tx) => service.dependencies.jobs.add(tx, sealSecrets, {}));

test('a new installation never stores a secret clear', async () => {
  await newToken();
  await service.db.transaction((tx) => rotateKey(tx, 'DE-ABC'));
  const secrets = await stored();
  expect(secrets.length).toBeGreaterThanOrEqual(5);
  for (const secret of secrets) expect(secret).toEqual({ clear: false, key: testSecrets.keyId });
});

test('clear secrets of the previous release are used, and sealed without a token or a client being lost', async () => {
  await unseal();
  expect((await stored()).every(({ clear }) => clear)).toBe(true);
  const before = await newToken();
  const clear = (await stored()).filter((secret) => secret.clear).length;
  expect(await service.db.transaction(sealClearSecrets)).toBe(clear);
  expect((await stored()).every(({ clear }) => !clear)).toBe(true);
  const other = await startTestService({ database: service.database, publicUrl: service.url });
  try {
    expect((await requestToken(other.url, 'DE-ABC', testCredentials)).status).toBe(200);
  } finally {
    await other.stop();
  }
  expect(await accepts(before)).toBe(true);
});

test('the job seals a day after the upgrade, while the previous release may run no more', async () => {
  await unseal();
  await runJob();
  await service.runJobs();
  expect((await stored()).every(({ clear }) => clear)).toBe(true);
  await dayPassed();
  await runJob();
  await service.runJobs();
  expect((await stored()).every(({ clear }) => !clear)).toBe(true);
});

describe('a rotation', () => {
  const key = randomBytes(32);
  const [next, both] = [createSecretBox([key]), createSecretBox([key, ...testSecretKeys])];
  let rotating: Database;
  let after: Database;
  beforeEach(() => {
    const options = { poolSize: 1, statementTimeoutMs: 10_000 };
    rotating = openDatabase(service.database.connection, { ...options, secrets: both });
    after = openDatabase(service.database.connection, { ...options, secrets: next });
  });
  afterEach(async () => {
    await rotating.close();
    await after.close();
  });

  const nameOf = (provider: string, id: string) => `idempotency_keys/${provider}/${id}`;

  async function keepAnswers(provider: string, ids: readonly string[]): Promise<void> {
    await service.db.query(
      `insert into idempotency_keys (provider, id, fingerprint, sealed_answer, expires_at)
       select $1, id, '', sealed, now() + interval '1 day' from unnest($2::text[], $3::text[]) kept (id, sealed)`,
      [provider, ids, ids.map((id) => testSecrets.seal(nameOf(provider, id), id))],
    );
  }

  const keptAnswers = async (box: SecretBox) =>
    (
      await service.db.query<{ provider: string; id: string; sealed: string }>(
        'select provider, id, sealed_answer as sealed from idempotency_keys order by provider, id',
      )
    ).map(({ provider, id, sealed }) => box.open(nameOf(provider, id), sealed));

  test('seals everything under the new key, which then suffices', async () => {
    const token = await newToken();
    await rotating.query('insert into secret_keys (id) values ($1)', [testSecrets.keyId]);
    await expect(loadRealm(after, 'DE-ABC')).rejects.toThrow('set SECRETS_KEY');
    expect(await resealSecrets(rotating)).toBe((await stored()).length);
    expect(await resealSecrets(rotating)).toBe(0);
    expect((await stored()).every(({ key }) => key === next.keyId)).toBe(true);
    expect((await loadRealm(after, 'DE-ABC'))?.keys).toHaveLength(1);
    expect(await after.query('select id from secret_keys')).toEqual([]);
    expect(await accepts(token)).toBe(true);
  });

  test('seals the kept answers of all providers, however many', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => String(index).padStart(3, '0'));
    await keepAnswers('DE-ABC', ids);
    await keepAnswers('FR-XYZ', ids);
    expect(await resealSecrets(rotating)).toBe((await stored()).length + 2 * ids.length);
    expect(await keptAnswers(next)).toEqual([...ids, ...ids]);
  });

  test('that fails keeps what it has done, and all keys, and can be repeated', async () => {
    await keepAnswers('DE-ABC', ['a', 'b', 'c']);
    await rotating.query('insert into secret_keys (id) values ($1)', [testSecrets.keyId]);
    const setAnswer = (sealed: string) =>
      service.db.query(`update idempotency_keys set sealed_answer = $1 where id = 'b'`, [sealed]);
    await setAnswer(`${testSecrets.keyId}.damaged`);
    await expect(resealSecrets(rotating)).rejects.toThrow();
    expect((await stored()).every(({ key }) => key === next.keyId)).toBe(true);
    expect(await after.query('select id from secret_keys')).toContainEqual({
      id: testSecrets.keyId,
    });
    await setAnswer(testSecrets.seal(nameOf('DE-ABC', 'b'), 'b'));
    expect(await resealSecrets(rotating)).toBe(2);
    expect(await keptAnswers(next)).toEqual(['a', 'b', 'c']);
  });

  test('keeps nobody waiting, and seals what is changed meanwhile as it then is', async () => {
    await keepAnswers('DE-ABC', ['changed', 'deleted', 'kept']);
    const userId = await userIdOf(service.db, 'DE-ABC', testUser.username);
    const owner = { provider: 'DE-ABC', userId };
    const signInKey = await signInKeyLoader(service.db)();
    await addSecondFactor(service.db, signInKey, owner, {
      secret: Buffer.alloc(20, 'factor'),
      confirmedStep: 0,
      session: '',
    });

    let resealing: Promise<number> | undefined;
    await service.db.transaction(async (tx) => {
      const changed = testSecrets.seal(nameOf('DE-ABC', 'changed'), 'changed meanwhile');
      await tx.query(`delete from idempotency_keys where id = 'deleted'`);
      await tx.query(`update idempotency_keys set sealed_answer = $1 where id = 'changed'`, [
        changed,
      ]);
      resealing = resealSecrets(rotating);
      await expect.poll(() => lockWaits(tx)).toBe(1);
      const updated = await after.query('update second_factors set last_step = 1 returning 1');
      expect(updated).toHaveLength(1);
    });
    // With the second factor, and the two answers that are left.
    expect(await resealing).toBe((await stored()).length + 3);
    expect(await keptAnswers(next)).toEqual(['changed meanwhile', 'kept']);
  });
});

test('the key of one realm cannot be put in the place of another’s', async () => {
  await service.db.query(
    `update realm_keys set sealed_jwk = (select sealed_jwk from realm_keys where provider = 'FR-XYZ')
     where provider = 'DE-ABC'`,
  );
  await expect(loadRealm(service.db, 'DE-ABC')).rejects.toThrow();
  expect((await loadRealm(service.db, 'FR-XYZ'))?.keys).toHaveLength(1);
});
