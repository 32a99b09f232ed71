import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../platform/db/database.ts';
import { createSecretBox } from '../platform/secrets/secret-box.ts';
import { testCredentials, testSecretKeys, testSecrets } from '../testing/global-setup.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { rotateKey } from './keys.ts';
import { loadRealm } from './realms.ts';
import { resealSecrets, sealClearSecrets, sealSecrets, unsealSecrets } from './sealed-secrets.ts';

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

test('a rotation seals everything under the new key, which then suffices', async () => {
  const token = await newToken();
  const key = randomBytes(32);
  const [next, both] = [createSecretBox([key]), createSecretBox([key, ...testSecretKeys])];
  const options = { poolSize: 1, statementTimeoutMs: 10_000 };
  const rotating = openDatabase(service.database.connection, { ...options, secrets: both });
  const after = openDatabase(service.database.connection, { ...options, secrets: next });
  try {
    await rotating.query('insert into secret_keys (id) values ($1)', [testSecrets.keyId]);
    await expect(loadRealm(after, 'DE-ABC')).rejects.toThrow('set SECRETS_KEY');
    expect(await resealSecrets(rotating)).toBe((await stored()).length);
    expect(await resealSecrets(rotating)).toBe(0);
    expect((await stored()).every(({ key }) => key === next.keyId)).toBe(true);
    expect((await loadRealm(after, 'DE-ABC'))?.keys).toHaveLength(1);
    expect(await after.query('select id from secret_keys')).toEqual([]);
  } finally {
    await rotating.close();
    await after.close();
  }
  expect(await accepts(token)).toBe(true);
});

test('the key of one realm cannot be put in the place of another’s', async () => {
  await service.db.query(
    `update realm_keys set sealed_jwk = (select sealed_jwk from realm_keys where provider = 'FR-XYZ')
     where provider = 'DE-ABC'`,
  );
  await expect(loadRealm(service.db, 'DE-ABC')).rejects.toThrow();
  expect((await loadRealm(service.db, 'FR-XYZ'))?.keys).toHaveLength(1);
});
