import { setTimeout } from 'node:timers/promises';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hashPassword, setHashingCostForTests } from '../../auth/password-hash.ts';
import { addUser } from '../../auth/users.ts';
import { openBrowser } from '../../testing/browser.ts';
import { cheapHashing } from '../../testing/cheap-hashing.ts';
import { lockTable } from '../../testing/lock-table.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { problemType } from '../../testing/problem-type.ts';
import { signInUser } from '../../testing/signed-in-user.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';

/** Two processes on one database, behind the address of the first. */
let one: TestService;
let other: TestService;
let made = 0;

const users = '/administration/users';
const password = 'nine otters cross the river';

beforeAll(async () => {
  one = await startTestService();
  other = await startTestService({ database: one.database, publicUrl: one.url });
});
afterAll(async () => {
  vi.useRealTimers();
  await other.stop();
  await one.stop();
});

/** A running service caches realms for a second. */
function advanceOneSecond(): void {
  vi.setSystemTime(Date.now() + 1_000);
}

async function newUser(role: 'viewer' | 'editor' | 'admin' = 'editor') {
  const username = `user${++made}`;
  await addUser(one.db, 'DE-ABC', username, password, role);
  const { json } = await one.call('POST', `${users}/search`, {
    filters: [{ field: 'username', value: username }],
  });
  return { id: json.items[0].id as string, username, path: `${users}/${json.items[0].id}` };
}

async function invite(body: object = {}) {
  const username = `invited${++made}`;
  const answer = await one.call('POST', users, { username, ...body });
  return { ...answer, username, path: `${users}/${answer.json.id}` };
}

const inCapitals = (path: string) => path.toUpperCase().replace(users.toUpperCase(), users);

async function open(link: string) {
  const browser = openBrowser(one.url);
  const [page = '', token = ''] = link.split('#');
  return { browser, token, asked: await browser.submit(await browser.visit(page), { token }) };
}

const find = (service: TestService, token: string) =>
  service.send({
    method: 'POST',
    path: '/api/fleets/v1/DE/ABC/vehicles',
    headers: { authorization: `Bearer ${token}` },
  });

describe('an invitation', () => {
  test('makes a user without a password, who sets it by the link and signs in', async () => {
    const { status, json, headers, path, username } = await invite({
      role: 'viewer',
      name: 'Anna',
    });
    expect(status).toBe(201);
    expect(headers.location).toBe(`/api/fleets/v1/DE/ABC${path}`);
    expect(json).toMatchObject({ username, name: 'Anna', role: 'viewer', hasPassword: false });
    expect(json.invitationLink).toMatch(
      new RegExp(`^${one.url}/realms/DE-ABC/invitation#[\\w-]{43}$`),
    );
    const read = await one.call('GET', path);
    expect(read.text).not.toContain('invitationLink');
    await expect(signInUser(one, { username, password: '' })).rejects.toThrow('could not sign in');

    const { browser, asked } = await open(json.invitationLink);
    expect(asked.text).toContain(`value="${username}"`);
    const done = await browser.submit(asked, { password, repeated: password });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('The password is set')]);
    expect(done.text).toContain(`href="${one.url}/console/DE-ABC"`);
    const user = await signInUser(one, { username, password });
    expect(decodeJwt(user.accessToken).realm_access).toEqual({ roles: ['viewer'] });
    const { json: after } = await one.call('GET', path);
    expect(after.hasPassword).toBe(true);
    expect(after).not.toHaveProperty('invitationExpiresAt');
    const trail = await one.call('POST', '/audit/search', {
      filters: [{ field: 'operation', value: 'acceptInvitation' }],
    });
    expect(trail.json.items).toMatchObject([
      { type: 'user', recordId: json.id, actor: { kind: 'user', username } },
    ]);
  });

  test('is good for one password, also when two are set at the same moment', async () => {
    const { json } = await invite();
    const { browser, asked } = await open(json.invitationLink);
    const answers = await Promise.all(
      [1, 2, 3].map(() => browser.submit(asked, { password, repeated: password })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect((await open(json.invitationLink)).asked).toMatchObject({
      status: 404,
      text: expect.stringContaining('This link is not valid'),
    });
  });

  test('is worth nothing when it has expired, or in another realm', async () => {
    const { json, path } = await invite();
    const elsewhere = json.invitationLink.replace('DE-ABC', 'FR-XYZ');
    expect((await open(elsewhere)).asked.status).toBe(404);
    await one.db.query(
      `update users set invitation_expires_at = now() - interval '1 s' where provider = 'DE-ABC' and id = $1`,
      [json.id],
    );
    expect((await open(json.invitationLink)).asked.status).toBe(404);
    expect((await one.call('GET', path)).json).not.toHaveProperty('invitationExpiresAt');
  });

  test('does not work for a disabled user, and does again for an enabled one', async () => {
    const { json, path } = await invite();
    await one.call('POST', `${path}/disable`);
    expect((await open(json.invitationLink)).asked.status).toBe(404);
    await one.call('POST', `${path}/enable`);
    expect((await open(json.invitationLink)).asked.status).toBe(200);
  });

  test('asks again for a password that is too short, or was mistyped', async () => {
    const { json } = await invite();
    const { browser, asked } = await open(json.invitationLink);
    const short = await browser.submit(asked, { password: 'short', repeated: 'short' });
    expect([short.status, short.text]).toEqual([400, expect.stringContaining('at least 12')]);
    const typo = await browser.submit(short, { password, repeated: `${password}!` });
    expect([typo.status, typo.text]).toEqual([400, expect.stringContaining('differ')]);
    expect((await browser.submit(typo, { password, repeated: password })).status).toBe(200);
  });

  test('is in no log and, as it was issued, in no row', async () => {
    const { json } = await invite();
    const { browser, token, asked } = await open(json.invitationLink);
    await browser.submit(asked, { password: 'short', repeated: 'short' });
    expect(one.log.join('')).not.toContain(token);
    const [row] = await one.db.query<{ text: string }>(
      'select u::text as text from users u where id = $1',
      [json.id],
    );
    expect(row?.text).not.toContain(token);
    expect(row?.text).not.toContain(Buffer.from(token).toString('hex'));
  });

  test('of a name that is taken is 409, whatever its case', async () => {
    const { username } = await newUser();
    const { status, json } = await one.call('POST', users, { username: username.toUpperCase() });
    expect([status, json.type]).toEqual([409, problemType('username-taken')]);
  });
});

describe('what a user holds stops within a second on every process', () => {
  test.each([
    ['disabled', (path: string) => one.call('POST', `${path}/disable`)],
    ['reset', (path: string) => one.call('POST', `${path}/reset`)],
    ['deleted', (path: string) => one.call('DELETE', path)],
    [
      'disabled by an id in capitals',
      (path: string) => one.call('POST', `${inCapitals(path)}/disable`),
    ],
    ['reset by an id in capitals', (path: string) => one.call('POST', `${inCapitals(path)}/reset`)],
    ['deleted by an id in capitals', (path: string) => one.call('DELETE', inCapitals(path))],
  ])('when the user is %s', async (_, end) => {
    const { username, path } = await newUser();
    const user = await signInUser(one, { username, password });
    for (const service of [one, other])
      expect((await find(service, user.accessToken)).status).toBe(200);
    expect(await user.isSignedIn()).toBe(true);

    expect((await end(path)).status).toBeLessThan(300);
    expect((await user.refresh()).status).toBe(400);
    expect(await user.isSignedIn()).toBe(false);
    advanceOneSecond();
    for (const service of [one, other])
      expect((await find(service, user.accessToken)).status).toBe(401);
    await expect(signInUser(one, { username, password })).rejects.toThrow('could not sign in');
  });

  test('and an enabled user signs in again, with nothing of before', async () => {
    const { username, path } = await newUser();
    const before = await signInUser(one, { username, password });
    await one.call('POST', `${path}/disable`);
    const { status, json } = await one.call('POST', `${path}/enable`);
    expect(status).toBe(200);
    expect(json).not.toHaveProperty('disabledAt');
    const after = await signInUser(one, { username, password });
    advanceOneSecond();
    for (const service of [one, other]) {
      expect((await find(service, before.accessToken)).status).toBe(401);
      expect((await find(service, after.accessToken)).status).toBe(200);
    }
    expect((await before.refresh()).status).toBe(400);
    expect(await before.isSignedIn()).toBe(false);
  });

  test('and a user with another role has that one with the next token', async () => {
    const { username, path } = await newUser('editor');
    const user = await signInUser(one, { username, password });
    const { json } = await one.call('PUT', path, { role: 'viewer', name: 'Ben' });
    expect(json).toMatchObject({ username, role: 'viewer', name: 'Ben' });
    advanceOneSecond();
    for (const service of [one, other])
      expect((await find(service, user.accessToken)).status).toBe(401);
    const refreshed = await user.refresh();
    expect(decodeJwt(refreshed.json.access_token).realm_access).toEqual({ roles: ['viewer'] });
    expect((await find(other, refreshed.json.access_token)).status).toBe(200);
  });

  test('but not with another name', async () => {
    const { username, path } = await newUser('editor');
    const user = await signInUser(one, { username, password });
    await one.call('PUT', path, { role: 'editor', name: 'Carla' });
    advanceOneSecond();
    expect((await find(one, user.accessToken)).status).toBe(200);
  });
});

test('a reset replaces an earlier link, and the new one sets a password', async () => {
  const { json: invited, path, username } = await invite();
  const { json } = await one.call('POST', `${path}/reset`);
  expect((await open(invited.invitationLink)).asked.status).toBe(404);
  const { browser, asked } = await open(json.invitationLink);
  await browser.submit(asked, { password, repeated: password });
  await signInUser(one, { username, password });
});

test('a reset keeps the second factor, unless it is asked to remove that, too', async () => {
  const { id, path } = await newUser();
  await one.db.query(
    `insert into second_factors (provider, user_id, sealed_secret, last_step) values ('DE-ABC', $1, 'x', 0)`,
    [id],
  );
  expect((await one.call('GET', path)).json.hasSecondFactor).toBe(true);
  const kept = await one.call('POST', `${path}/reset`);
  expect(kept.json.hasSecondFactor).toBe(true);
  const removed = await one.call('POST', `${path}/reset`, { removeSecondFactor: true });
  expect(removed.json.hasSecondFactor).toBe(false);
});

test('a sign-in that was checked before the reset is not completed after it', async () => {
  const { username, path, id } = await newUser();
  await one.db.query(
    `insert into oidc_records (provider, kind, id, payload, expires_at)
     values ('DE-ABC', 'Interaction', 'pending', jsonb_build_object('result',
       jsonb_build_object('login', jsonb_build_object('accountId', $1::text))), now() + interval '1 min')`,
    [id],
  );
  await one.call('POST', `${path}/reset`);
  const left = await one.db.query("select id from oidc_records where id = 'pending'");
  expect(left, username).toEqual([]);
});

test('a password that is being checked during the reset signs nobody in', async ({
  onTestFinished,
}) => {
  setHashingCostForTests();
  onTestFinished(() => setHashingCostForTests(cheapHashing));
  const { username, path } = await newUser();
  const countAttempts = async () => (await one.db.query('select from sign_in_failures')).length;
  const attemptsBefore = await countAttempts();
  // The check of the password has to wait for these.
  const others = Array.from({ length: 8 }, () => hashPassword('DE-ABC', password));
  const signingIn = signInUser(one, { username, password });
  // An attempt is counted right before the password is read.
  await expect.poll(countAttempts).toBe(attemptsBefore + 1);
  await setTimeout(50);
  expect((await one.call('POST', `${path}/reset`)).status).toBe(200);
  const user = await signingIn;
  await Promise.all(others);
  expect(user.accessToken).toBeUndefined();
  expect(await user.isSignedIn()).toBe(false);
});

test('nobody ends the own access', async () => {
  const { username, path } = await newUser('admin');
  const { accessToken } = await signInUser(one, { username, password });
  const headers = { authorization: `Bearer ${accessToken}` };
  for (const [method, target, body] of [
    ['POST', `${path}/disable`],
    ['POST', `${path}/reset`],
    ['DELETE', path],
    ['PUT', path, { role: 'editor' }],
    ['PUT', path, {}],
    ['DELETE', inCapitals(path)],
  ] as const) {
    const { status, json } = await one.call(method, target, body, headers);
    expect([status, json.type], `${method} ${target}`).toEqual([409, problemType('own-access')]);
  }
  const renamed = await one.call('PUT', path, { role: 'admin', name: 'Me' }, headers);
  expect(renamed.status).toBe(200);
});

test.each([
  ['PUT', '', { role: 'editor' }],
  ['POST', '/disable', undefined],
  ['POST', '/reset', {}],
  ['DELETE', '', undefined],
] as const)(
  'of administrators who end the access of each other at once by %s%s, one remains',
  async (method, action, body) => {
    const admins = await Promise.all(
      [1, 2].map(async () => {
        const user = await newUser('admin');
        const { accessToken } = await signInUser(one, { username: user.username, password });
        return { ...user, headers: { authorization: `Bearer ${accessToken}` } };
      }),
    );
    const [first, second] = admins as [(typeof admins)[0], (typeof admins)[0]];
    const unlock = await lockTable(one.db, 'users');
    const sent = [
      one.call(method, second.path + action, body, first.headers),
      one.call(method, first.path + action, body, second.headers),
    ];
    await vi.waitFor(async () => expect(await lockWaits(one.db)).toBe(2), 20_000).finally(unlock);
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([method === 'DELETE' ? 204 : 200, 401]);
  },
);

test('a search finds users by name, role and state', async () => {
  const { username, path } = await newUser('viewer');
  await one.call('POST', `${path}/disable`);
  const { json } = await one.call('POST', `${users}/search`, {
    filters: [
      { value: username },
      { field: 'role', value: 'viewer' },
      { field: 'disabledAt', operator: 'exists', value: true },
      { field: 'hasPassword', value: true },
    ],
  });
  expect(json.items.map((user: { username: string }) => user.username)).toEqual([username]);
  expect(JSON.stringify(json)).not.toMatch(/scrypt|hash/i);
});

test('a user has the id and the address that were chosen, and another cannot have the id', async () => {
  const id = '6f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f9';
  const { status, json, path } = await invite({ id, email: 'anna@example.com' });
  expect([status, json.id, json.email]).toEqual([201, id, 'anna@example.com']);
  const again = await invite({ id });
  expect([again.status, again.json.type]).toEqual([409, problemType('user-id-taken')]);
  const { json: put } = await one.call('PUT', path, { email: 'a.weber@example.com' });
  expect([put.id, put.email]).toEqual([id, 'a.weber@example.com']);
  const cleared = await one.call('PUT', path, {});
  expect(cleared.json).not.toHaveProperty('email');
  expect((await invite({ email: 'nobody' })).status).toBe(400);
});
