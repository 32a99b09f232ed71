import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ageRecords } from '../testing/age-records.ts';
import { passRefreshGrace } from '../testing/pass-refresh-grace.ts';
import { signInUser } from '../testing/signed-in-user.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { addClient } from './clients.ts';
import { revokeSessionsOf } from './sessions.ts';
import { userIdOf } from './user-accounts.ts';
import { addUser } from './users.ts';

/** Two processes on one database, behind the address of the first. */
let one: TestService;
let other: TestService;
beforeAll(async () => {
  one = await startTestService();
  other = await startTestService({ database: one.database, publicUrl: one.url });
  const page = { name: 'Page', isPublic: true, redirectUris: [redirectUri] };
  ({ id: clientId } = await addClient(one.db, 'DE-ABC', page));
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

const redirectUri = 'https://page.example.com/signed-in';
let clientId: string;
const signIn = (scope = 'openid') =>
  signInUser(one, { username: 'demo', password: 'demo', clientId, redirectUri, scope });

function exchange(refreshToken: string, service = one) {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId };
  return service.send({
    method: 'POST',
    path: '/realms/DE-ABC/protocol/openid-connect/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

const passGrace = () => passRefreshGrace(one.db);

const countRecords = async () => {
  const [row] = await one.db.query<{ count: number }>(
    `select count(*)::int as count from oidc_records where kind = 'RefreshToken'`,
  );
  return row?.count;
};

const handleOf = (token: string) => decodeJwt(token).jti;

test('those of a user and client are exchanged 300 times a minute at most; what can no longer be used does not count', async () => {
  const password = 'correct horse battery';
  for (const username of ['ada', 'bob']) await addUser(one.db, 'DE-ABC', username, password);
  const signInAs = (username: string) =>
    signInUser(one, { username, password, clientId, redirectUri, scope: 'openid' });
  const ended = await signInAs('ada');
  const id = await userIdOf(one.db, 'DE-ABC', 'ada');
  await one.db.transaction((tx) => revokeSessionsOf(tx, 'DE-ABC', id));
  const useless = Array.from({ length: 301 }, () => exchange(ended.refreshToken));
  expect(new Set((await Promise.all(useless)).map(({ status }) => status))).toEqual(new Set([400]));
  const console = await signInUser(one, { username: 'ada', password });
  const tokens = [await signInAs('ada'), await signInAs('ada')].map((user) => user.refreshToken);
  const exchanges = Array.from({ length: 301 }, (_, index) => exchange(tokens[index % 2] ?? ''));
  const answers = await Promise.all(exchanges);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, json }) => [status, json.error])).toEqual([[429, 'slow_down']]);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await exchange((await signInAs('bob')).refreshToken)).status).toBe(200);
  expect((await console.refresh()).status).toBe(200);
});

describe('a refresh token', () => {
  test.each(['openid', 'openid offline_access'])(
    'that was just issued is answered as it is, and stores nothing: %s',
    async (scope) => {
      const { refreshToken, accessToken } = await signIn(scope);
      const before = await countRecords();
      for (let time = 0; time < 3; time++) {
        const { status, json } = await exchange(refreshToken, time % 2 ? one : other);
        expect([status, json.refresh_token]).toEqual([200, refreshToken]);
        expect(json.access_token).not.toBe(accessToken);
      }
      expect(await countRecords()).toBe(before);
      await passGrace();
      const { json } = await exchange(refreshToken);
      expect(handleOf(json.refresh_token)).not.toBe(handleOf(refreshToken));
      expect((await exchange(json.refresh_token)).json.refresh_token).toBe(json.refresh_token);
      expect(await countRecords()).toBe((before ?? 0) + 1);
    },
  );

  test.each(['openid', 'openid offline_access'])(
    'that is exchanged by many at once gives all the same next one: %s',
    async (scope) => {
      const { refreshToken } = await signIn(scope);
      await passGrace();
      const sent = Array.from({ length: 8 }, (_, index) =>
        exchange(refreshToken, index % 2 ? one : other),
      );
      const answers = await Promise.all(sent);
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      const next = answers.map(({ json }) => json.refresh_token as string);
      expect(new Set(next.map(handleOf)).size).toBe(1);
      expect(handleOf(next[0] ?? '')).not.toBe(handleOf(refreshToken));
      expect((await exchange(next.at(-1) ?? '')).status).toBe(200);
    },
  );

  test('that is used again later ends the grant with all its tokens, whoever has them', async () => {
    const { refreshToken } = await signIn();
    await passGrace();
    const { json } = await exchange(refreshToken);
    await passGrace();
    expect((await exchange(refreshToken)).json.error).toBe('invalid_grant');
    expect((await exchange(json.refresh_token)).json.error).toBe('invalid_grant');
    const userinfo = () =>
      other.send({
        path: '/realms/DE-ABC/protocol/openid-connect/userinfo',
        headers: { authorization: `Bearer ${json.access_token}` },
      });
    await expect.poll(async () => (await userinfo()).status).toBe(401);
  });

  test('of which two have the next one, ends the grant when both go on with it', async () => {
    const { refreshToken } = await signIn();
    await passGrace();
    const [mine, theirs] = [await exchange(refreshToken), await exchange(refreshToken)];
    await passGrace();
    const { json } = await exchange(mine.json.refresh_token);
    await passGrace();
    expect((await exchange(theirs.json.refresh_token)).json.error).toBe('invalid_grant');
    expect((await exchange(json.refresh_token)).json.error).toBe('invalid_grant');
  });

  test.each([
    ['openid', 29, 200],
    ['openid', 31, 400],
    ['openid offline_access', 31, 200],
  ])('of %s is answered %i days after the sign-in with %i', async (scope, days, status) => {
    const { refreshToken } = await signIn(scope);
    await ageRecords(one.db, {
      kind: 'RefreshToken',
      seconds: days * 86_400,
      properties: ['authTime'],
      ids: [String(handleOf(refreshToken))],
    });
    expect((await exchange(refreshToken)).status).toBe(status);
  });

  test('cannot be told from the database: the id of its record is none', async () => {
    const { refreshToken } = await signIn('openid offline_access');
    const stolen = await exchange(handleOf(refreshToken) ?? '');
    expect([stolen.status, stolen.json.error]).toEqual([400, 'invalid_grant']);
    expect((await exchange(refreshToken)).status).toBe(200);
  });

  test('of one page is not that of another page of the same browser', async () => {
    const person = await signIn();
    const { refresh_token = '' } = await person.openPage();
    await passGrace();
    const [first, second] = await Promise.all([
      exchange(person.refreshToken),
      exchange(refresh_token),
    ]);
    await passGrace();
    for (const { json } of [first, second])
      expect((await exchange(json.refresh_token)).status).toBe(200);
  });
});
