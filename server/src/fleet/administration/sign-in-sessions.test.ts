import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { addClient } from '../../auth/clients.ts';
import { oidcAdapter } from '../../auth/oidc-adapter.ts';
import { endGrantsOfClient, maxClientsOfSession, revokeSessionsOf } from '../../auth/sessions.ts';
import { testUser } from '../../testing/global-setup.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { createSignIns } from '../../testing/sign-in.ts';
import { signInUser } from '../../testing/signed-in-user.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

let service: TestService;
/** A sign-in to an application that keeps its access without the person. */
let offline: { clientId: string; redirectUri: string; scope: string };
beforeAll(async () => {
  service = await startTestService();
  const redirectUri = 'https://page.example.com/signed-in';
  const page = { name: 'Page', isPublic: true, redirectUris: [redirectUri] };
  const { id: clientId } = await addClient(service.db, 'DE-ABC', page);
  offline = { clientId, redirectUri, scope: 'openid offline_access' };
});
afterAll(() => service.stop());

const sessions = '/administration/sessions';

async function findSessions(filters: object[] = []) {
  const { json } = await service.call('POST', `${sessions}/search`, { filters });
  return json.items as { id: string; userId: string; clientIds: string[]; signedInAt: string }[];
}

const storedSessions = () =>
  service.db.query<{ id: string; payload: Record<string, unknown> }>(
    "select id, payload from oidc_records where provider = 'DE-ABC' and kind = 'Session'",
  );

test('a session tells who is signed in, since when and to what, and not the cookie', async () => {
  const begun = Date.now();
  await signInUser(service, testUser);
  const [session, ...others] = await findSessions([
    { field: 'username', value: 'demo' },
    { field: 'clientIds', value: 'motorpool-console' },
  ]);
  expect(others).toEqual([]);
  expect(session).toMatchObject({
    username: 'demo',
    clientIds: ['motorpool-console'],
    address: '127.0.0.1',
    userAgent: 'A browser',
  });
  expect(Math.abs(Date.parse(session?.signedInAt ?? '') - begun)).toBeLessThan(60_000);
  const text = JSON.stringify(await findSessions());
  for (const { id } of await storedSessions()) expect(text).not.toContain(id);
});

test('a revoked session has to sign in again, and the others of the user only refresh', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const known = new Set((await findSessions()).map(({ id }) => id));
  const revoked = await signInUser(service, testUser);
  const [session] = (await findSessions()).filter(({ id }) => !known.has(id));
  const kept = await signInUser(service, testUser);
  const path = `${sessions}/${session?.id}`;
  expect((await service.call('DELETE', path)).status).toBe(204);

  expect(await revoked.isSignedIn()).toBe(false);
  expect((await revoked.refresh()).status).toBe(400);
  expect(await kept.isSignedIn()).toBe(true);
  const { status, json } = await kept.refresh();
  expect(status).toBe(200);
  vi.setSystemTime(Date.now() + 1_000);
  const find = async (token: string) =>
    (await service.call('POST', '/vehicles', {}, { authorization: `Bearer ${token}` })).status;
  expect(await find(revoked.accessToken)).toBe(401);
  expect(await find(json.access_token)).toBe(200);
  expect((await findSessions()).map(({ id }) => id)).not.toContain(session?.id);
  expect((await service.call('DELETE', path)).status).toBe(404);
  vi.useRealTimers();
});

test('a revoked session ends what it no longer names: of two sign-ins to one client, and to two at once', async () => {
  const known = new Set((await storedSessions()).map(({ id }) => id));
  const first = await signInUser(service, { ...testUser, ...offline });
  const stored = (await storedSessions()).find(({ id }) => !known.has(id));
  const { uid, authorizations } = stored?.payload ?? {};
  const adapter = oidcAdapter(service.db, 'DE-ABC', 'Session');
  const write = (named: Record<string, { sid: string; grantId: string }>) =>
    adapter.upsert(stored?.id ?? '', { ...stored?.payload, authorizations: named }, 86_400);
  // As two requests at once write it, each with what it has read.
  await write({ other: { sid: 'b', grantId: 'b' } });
  await write({ another: { sid: 'c', grantId: 'c' } });
  const [session] = await findSessions([{ field: 'clientIds', value: 'other' }]);
  expect(session?.clientIds.toSorted()).toEqual(
    ['another', 'other', ...Object.keys(authorizations as object)].toSorted(),
  );
  await service.db.query(
    `update oidc_records set payload = payload - 'authorizations' where provider = 'DE-ABC' and uid = $1`,
    [uid],
  );
  expect((await service.call('DELETE', `${sessions}/${uid}`)).status).toBe(204);
  expect((await first.refresh()).json.error).toBe('invalid_grant');
});

test('a request that read a grant before its end does not bring it back', async () => {
  const user = await signInUser(service, { ...testUser, ...offline });
  const sessionId = String(decodeJwt(user.accessToken).sid);
  const grants = await service.db.query<{ id: string; payload: Record<string, unknown> }>(
    "select id, payload from oidc_records where provider = 'DE-ABC' and kind = 'Grant' and uid = $1",
    [sessionId],
  );
  expect(grants).toHaveLength(1);
  await service.call('DELETE', `${sessions}/${sessionId}`);
  const adapter = oidcAdapter(service.db, 'DE-ABC', 'Grant');
  const { id = '', payload = {} } = grants[0] ?? {};
  await expect(adapter.upsert(id, payload, 86_400)).rejects.toThrow();
  expect(await adapter.find(id)).toBeUndefined();
  expect((await user.refresh()).json.error).toBe('invalid_grant');
});

test('a refresh that read the grant before its end, and the user after it, gives no token', async () => {
  const user = await signInUser(service, { ...testUser, ...offline });
  const userId = decodeJwt(user.accessToken).sub ?? '';
  // Offline access outlives the session, which ends nothing of it then.
  await service.db.query(
    `delete from oidc_records where provider = 'DE-ABC' and kind = 'Session' and payload->>'accountId' = $1`,
    [userId],
  );
  const refreshing = await service.db.transaction(async (tx) => {
    await tx.query('lock table users in access exclusive mode');
    const answer = user.refresh();
    await expect.poll(() => lockWaits(tx)).toBe(1);
    await revokeSessionsOf(tx, 'DE-ABC', userId);
    return { answer };
  });
  const { status, json } = await refreshing.answer;
  expect([status, json.error]).toEqual([400, 'invalid_grant']);
});

test('however many refresh tokens came of a sign-in, ending it reads its grants alone', async () => {
  const user = await signInUser(service, { ...testUser, ...offline });
  const sessionId = String(decodeJwt(user.accessToken).sid);
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = service.db.transaction(async (tx) => {
    await tx.query(
      "select from oidc_records where provider = 'DE-ABC' and kind = 'RefreshToken' for update",
    );
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  expect((await service.call('DELETE', `${sessions}/${sessionId}`)).status).toBe(204);
  released.resolve();
  await holding;
  expect((await user.refresh()).json.error).toBe('invalid_grant');
});

test('however many sign-ins a user or a client has, all of them end, and no others', async () => {
  onTestFinished(async () => {
    await service.db.query("delete from oidc_records where provider = 'DE-ABC' and id like 'of-%'");
  });
  await service.db.query(
    `insert into oidc_records (provider, kind, id, payload, expires_at)
     select 'DE-ABC', kind, 'of-' || account || number,
       jsonb_build_object('accountId', account, 'clientId', 'client-of-' || account), now() + interval '1 hour'
     from generate_series(1, 2001) number, unnest(array['Session', 'Grant']) kind, unnest(array['one', 'other', 'third']) account`,
  );
  await service.db.transaction((tx) => revokeSessionsOf(tx, 'DE-ABC', 'one'));
  await service.db.transaction((tx) => endGrantsOfClient(tx, 'DE-ABC', 'client-of-other'));
  const live = await service.db.query(
    `select payload->>'accountId' as account, kind, count(*)::int from oidc_records
     where provider = 'DE-ABC' and id like 'of-%' and consumed_at is null group by 1, 2 order by 1, 2`,
  );
  expect(live).toEqual([
    { account: 'other', kind: 'Session', count: 2_001 },
    { account: 'third', kind: 'Grant', count: 2_001 },
    { account: 'third', kind: 'Session', count: 2_001 },
  ]);
});

test('a session that is stored under another id while those of its user are ended ends, too', async () => {
  const user = await signInUser(service, testUser);
  const { sub: userId = '', sid } = decodeJwt(user.accessToken);
  const ending = await service.db.transaction(async (tx) => {
    await tx.query(
      "update oidc_records set id = 'renamed' where provider = 'DE-ABC' and kind = 'Session' and uid = $1",
      [sid],
    );
    const ended = service.db.transaction((other) => revokeSessionsOf(other, 'DE-ABC', userId));
    await expect.poll(() => lockWaits(tx)).toBe(1);
    return { ended };
  });
  await ending.ended;
  expect((await findSessions()).map(({ id }) => id)).not.toContain(sid);
});

test('a session signs in to many clients, and not to any number of them', async () => {
  const known = new Set((await storedSessions()).map(({ id }) => id));
  await signInUser(service, testUser);
  const stored = (await storedSessions()).find(({ id }) => !known.has(id));
  const adapter = oidcAdapter(service.db, 'DE-ABC', 'Session');
  const write = (count: number) => {
    const clients = Array.from({ length: count }, (_, index) => [`client-${index}`, {}]);
    const payload = { ...stored?.payload, authorizations: Object.fromEntries(clients) };
    return adapter.upsert(stored?.id ?? '', payload, 86_400);
  };
  await write(maxClientsOfSession);
  await expect(write(maxClientsOfSession + 1)).rejects.toMatchObject({ error: 'invalid_request' });
});

test('a request that read a session before its end does not bring it back', async () => {
  const known = new Set((await storedSessions()).map(({ id }) => id));
  const user = await signInUser(service, testUser);
  const stored = (await storedSessions()).find(({ id }) => !known.has(id));
  await service.call('DELETE', `${sessions}/${stored?.payload.uid}`);
  const adapter = oidcAdapter(service.db, 'DE-ABC', 'Session');
  await expect(adapter.upsert(stored?.id ?? '', stored?.payload ?? {}, 86_400)).rejects.toThrow();
  expect(await user.isSignedIn()).toBe(false);
  expect((await user.refresh()).status).toBe(400);
});

test.each([
  ['that renews the session', { prompt: 'login' }],
  ['for tokens that outlive the session', { scope: 'openid offline_access' }],
])(
  'a request %s while it is ended gives nothing, and the session stays ended',
  async (_, changed) => {
    const user = await signInUser(service, testUser);
    const signIns = await createSignIns(service);
    let address = signIns.start(changed);
    if ('prompt' in changed) {
      const login = await user.browser.visit(address);
      address = login.url.replace('/login/', '/protocol/openid-connect/auth/');
    }
    const [{ id: userId = '' } = {}] = await service.db.query<{ id: string }>(
      "select id from users where provider = 'DE-ABC' and username = $1",
      [testUser.username],
    );
    let page: Promise<{ url: string }> | undefined;
    await service.db.transaction(async (tx) => {
      await revokeSessionsOf(tx, 'DE-ABC', userId);
      page = user.browser.visit(address);
      await expect.poll(() => lockWaits(tx)).toBe(1);
    });
    expect((await page)?.url).not.toContain('code=');
    expect(await user.isSignedIn()).toBe(false);
  },
);

test('whoever only looked at the login page has no session', async () => {
  const before = await findSessions();
  await service.db.query(
    `insert into oidc_records (provider, kind, id, uid, payload, expires_at)
     values ('DE-ABC', 'Session', 'visitor', 'visitor-uid', '{}', now() + interval '1 hour')`,
  );
  expect(await findSessions()).toEqual(before);
  expect((await service.call('DELETE', `${sessions}/visitor-uid`)).status).toBe(404);
});
