import { afterAll, beforeAll, expect, test } from 'vitest';
import { addClient } from '../auth/clients.ts';
import { addSecondFactor, redeemCode } from '../auth/sign-in/second-factor.ts';
import { signInKeyLoader } from '../auth/sign-in/sign-in-key.ts';
import { stepAt, totpCode } from '../auth/sign-in/totp.ts';
import { userIdOf } from '../auth/user-accounts.ts';
import { testCredentials, testSecrets, testUser } from '../testing/global-setup.ts';
import { runCommand } from '../testing/run-command.ts';
import { type SignedInUser, signInUser } from '../testing/signed-in-user.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const rotate = (...options: string[]) =>
  runCommand(['secrets', 'rotate', ...options], { env: service.database.env });

const restart = () => startTestService({ database: service.database, publicUrl: service.url });

/** Whether a process takes the cookies and the refresh token of a person for theirs. */
async function acceptedBy(
  process: TestService,
  person: SignedInUser,
  clientId = 'motorpool-console',
) {
  const cookies = person.browser.cookies().map(({ name, value }) => `${name}=${value}`);
  const account = await process.send({
    path: '/realms/DE-ABC/account',
    headers: { cookie: cookies.join('; '), accept: 'text/html' },
  });
  const tokens = await process.send({
    method: 'POST',
    path: '/realms/DE-ABC/protocol/openid-connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      refresh_token: person.refreshToken,
      client_id: clientId,
    }).toString(),
  });
  return { session: account.status === 200, refreshToken: tokens.status === 200 };
}

test('a rotation leaves everybody signed in', async () => {
  const person = await signInUser(service, testUser);
  const { keyId } = testSecrets;
  expect(await rotate()).toMatchObject({ stdout: `Sealed 0 secrets under the key ${keyId}.\n` });
  const restarted = await restart();
  expect(await acceptedBy(restarted, person)).toEqual({ session: true, refreshToken: true });
  await restarted.stop();
  await service.db.query('delete from oidc_records');
});

test('one with --now ends all sign-ins, and whoever has the old keys and records cannot sign in', async () => {
  const redirectUri = 'https://page.example.com/signed-in';
  const page = { name: 'Page', isPublic: true, redirectUris: [redirectUri] };
  const { id: clientId } = await addClient(service.db, 'DE-ABC', page);
  const scope = 'openid offline_access';
  const person = await signInUser(service, { ...testUser, clientId, redirectUri, scope });
  const owner = {
    provider: 'DE-ABC',
    userId: await userIdOf(service.db, 'DE-ABC', testUser.username),
  };
  const secret = Buffer.alloc(20, 'factor');
  const oldKey = await signInKeyLoader(service.db)();
  const [session] = await service.db.query<{ uid: string }>(
    "select uid from oidc_records where kind = 'Session' and payload ? 'accountId'",
  );
  const added = { secret, confirmedStep: 0, session: session?.uid ?? '' };
  const changed = await addSecondFactor(service.db, oldKey, owner, added);
  const records = await service.db.query<{ record: object }>(
    'select to_jsonb(r) as record from oidc_records r',
  );

  const { code, stdout } = await rotate('--now');
  expect(code).toBe(0);
  expect(stdout).toContain('ended 1 session, 1 refresh token, 10 recovery codes.\n');
  expect(stdout).toContain('Restart every process');
  expect(await acceptedBy(service, person, clientId)).toEqual({
    session: false,
    refreshToken: false,
  });

  // As if they had been told from a copy of the database, or made since.
  await service.db.query('delete from oidc_records');
  await service.db.query(
    'insert into oidc_records select r.* from unnest($1::jsonb[]) one, jsonb_populate_record(null::oidc_records, one) r',
    [records.map(({ record }) => JSON.stringify(record))],
  );
  expect(await acceptedBy(service, person, clientId)).toEqual({
    session: true,
    refreshToken: true,
  });
  const restarted = await restart();
  try {
    expect(await acceptedBy(restarted, person, clientId)).toEqual({
      session: false,
      refreshToken: false,
    });
    expect((await requestToken(restarted.url, 'DE-ABC', testCredentials)).status).toBe(200);
    const key = await signInKeyLoader(restarted.db)();
    expect(key.sign(['device'])).not.toBe(oldKey.sign(['device']));
    expect(await redeemCode(restarted.db, key, owner, changed?.codes[0] ?? '')).toBe(false);
    const ofApp = totpCode(secret, stepAt(Date.now()));
    expect(await redeemCode(restarted.db, key, owner, ofApp)).toBe(true);
  } finally {
    await restarted.stop();
  }
});

test('one with --now that cannot open a secret has ended all sign-ins before', async () => {
  await service.db.query('delete from oidc_records');
  await service.db.query('delete from second_factors');
  const person = await signInUser(service, testUser);
  await service.db.query(
    `insert into idempotency_keys (provider, id, fingerprint, sealed_answer, expires_at)
     values ('DE-ABC', 'lost', '', '0123456789abcdef.lost', now() + interval '1 day')`,
  );
  const { code, stdout, stderr } = await rotate('--now');
  expect(code).toBe(1);
  expect(stderr).toContain('sealed under the key 0123456789abcdef');
  expect(stdout).toContain('ended 1 session, 1 refresh token');
  expect(stdout).not.toContain('Restart every process');
  expect(await acceptedBy(service, person)).toEqual({ session: false, refreshToken: false });
});
