import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Queryable } from '../../platform/db/database.ts';
import type { Browser, Page } from '../../testing/browser.ts';
import { createSignIns, type SignIns } from '../../testing/sign-in.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { inviteUser, setPassword, userIdOf } from '../user-accounts.ts';
import { addUser } from '../users.ts';
import { beginAttempt, type GuessTarget } from './failures.ts';
import { signInKeyLoader } from './sign-in-key.ts';

let service: TestService;
let signIns: SignIns;
let addresses = 0;

const password = 'correct horse battery';

// A minute of the limits may not pass within a test, however slow the machine.
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  service = await startTestService({ trustProxy: 1 });
  signIns = await createSignIns(service);
});
afterAll(async () => {
  vi.useRealTimers();
  await service.stop();
});

let username: string;
beforeEach(async () => {
  username = `ada-${++addresses}`;
  await addUser(service.db, 'DE-ABC', username, password);
});

/** Each from an address of its own, unless one is given. */
async function attempt(
  typed: { username: string; password: string },
  { from = `10.2.${addresses++}.1`, by = signIns }: { from?: string; by?: SignIns } = {},
): Promise<Page & { browser: Browser }> {
  const { browser, login } = await by.open(from);
  return { ...(await browser.submit(login, typed)), browser };
}

async function fail(count: number, name = username): Promise<number[]> {
  const statuses = [];
  for (let failed = 0; failed < count; failed++)
    statuses.push((await attempt({ username: name, password: `guess ${failed}` })).status);
  return statuses;
}

const isSignedIn = ({ url }: Page) => url.startsWith('https://app.example.com/?code=');
const passDelay = () => service.db.query('update sign_in_failures set blocked_until = now()');

describe('after five failures on one account, from whichever addresses,', () => {
  test('no password is looked at for a while, in words that do not tell the right one', async () => {
    expect(await fail(6)).toEqual([401, 401, 401, 401, 401, 429]);
    const wrong = await attempt({ username, password: 'another guess' });
    const right = await attempt({ username, password });
    expect([wrong.status, right.status]).toEqual([429, 429]);
    expect(Number(right.headers['retry-after'])).toBeGreaterThan(0);
    const words = (page: Page) => page.text.replaceAll(/\d+ seconds?/g, 'N seconds');
    expect(words(right)).toBe(words(wrong));
    await passDelay();
    expect(isSignedIn(await attempt({ username, password }))).toBe(true);
    expect(await fail(5)).toEqual([401, 401, 401, 401, 401]);
  });

  test('each further one doubles the delay, up to a quarter of an hour', async () => {
    await fail(5);
    const delay = async () => {
      const [row] = await service.db.query<{ seconds: number }>(
        `select extract(epoch from blocked_until - failed_at)::int as seconds from sign_in_failures
         order by failed_at desc limit 1`,
      );
      return row?.seconds;
    };
    const delays = [await delay()];
    for (const _ of [1, 2]) {
      await passDelay();
      await fail(1);
      delays.push(await delay());
    }
    expect(delays).toEqual([30, 60, 120]);
    await service.db.query('update sign_in_failures set failures = 1000, blocked_until = now()');
    await fail(1);
    expect(await delay()).toBe(900);
  });

  test('every process knows it', async () => {
    await fail(5);
    await service.db.query(
      "update sign_in_failures set blocked_until = now() + interval '1 minute'",
    );
    const other = await startTestService({ database: service.database, trustProxy: 1 });
    try {
      const by = await createSignIns(other);
      expect((await attempt({ username, password }, { by })).status).toBe(429);
    } finally {
      await other.stop();
    }
  });

  test('the same is answered for a name that nobody has', async () => {
    expect(await fail(6, `nobody-${username}`)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('attempts at the same time and other spellings of the name included', async () => {
    const opened = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map((n) => signIns.open(`10.3.0.${n}`)),
    );
    const answers = await Promise.all(
      opened.map(({ browser, login }, index) => {
        const spelling = index % 2 ? username : username.toUpperCase();
        return browser.submit(login, { username: spelling, password: 'a guess' });
      }),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  });

  test('one that began before the last was counted is no guess too many', async () => {
    const key = await signInKeyLoader(service.db)();
    const target: GuessTarget = {
      provider: 'DE-ABC',
      kind: 'password',
      username,
      deviceId: undefined,
    };
    const earlier = (value: unknown) => (typeof value === 'number' ? value - 0.1 : value);
    const begunEarlier: Queryable = {
      ...service.db,
      query: (text, values) => service.db.query(text, values?.map(earlier)),
    };
    const waits = [];
    for (const db of [service.db, begunEarlier, service.db, begunEarlier, service.db, begunEarlier])
      waits.push(await beginAttempt(db, key, target));
    expect(waits).toEqual([0, 0, 0, 0, 0, 30]);
  });

  test('it is over a day later', async () => {
    await fail(5);
    await service.db.query(
      "update sign_in_failures set failed_at = now() - interval '25 hours', blocked_until = now()",
    );
    expect(await fail(5)).toEqual([401, 401, 401, 401, 401]);
  });
});

describe('a device from which the user signed in before', () => {
  test('passes with the right password while others are delayed', async () => {
    const { browser } = await attempt({ username, password });
    await fail(5);
    await service.db.query(
      "update sign_in_failures set blocked_until = now() + interval '1 minute'",
    );
    expect((await attempt({ username, password })).status).toBe(429);
    const login = await browser.visit(signIns.start({ prompt: 'login' }));
    expect(isSignedIn(await browser.submit(login, { username, password }))).toBe(true);
    expect((await attempt({ username, password })).status).toBe(429);
  });

  test('is also the one on which the password was set by an invitation', async () => {
    const invited = `new-${username}`;
    const { token } = await inviteUser(service.db, 'DE-ABC', invited, {});
    const { status, headers } = await service.send({
      method: 'POST',
      path: '/realms/DE-ABC/invitation',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token, password, repeated: password }).toString(),
    });
    expect(status).toBe(200);
    const [, name = '', value = ''] = /^(device_[\w-]+)=([^;]+)/.exec(
      String(headers['set-cookie']),
    ) as string[];
    await fail(5, invited);
    await service.db.query(
      "update sign_in_failures set blocked_until = now() + interval '1 minute'",
    );
    expect((await attempt({ username: invited, password })).status).toBe(429);
    const { browser, login } = await signIns.open('10.4.0.2');
    browser.setCookie({ name, value, path: '/realms/DE-ABC' });
    expect(isSignedIn(await browser.submit(login, { username: invited, password }))).toBe(true);
  });

  test('is delayed by its own failures alone', async () => {
    const { browser } = await attempt({ username, password });
    const login = await browser.visit(signIns.start({ prompt: 'login' }));
    const statuses = [];
    for (const guess of ['a', 'b', 'c', 'd', 'e', 'f'])
      statuses.push((await browser.submit(login, { username, password: guess })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(isSignedIn(await attempt({ username, password }))).toBe(true);
  });

  test('is a stranger once the password was changed, with no guesses of its own', async () => {
    const devices: Browser[] = [];
    for (let count = 0; count < 3; count++)
      devices.push((await attempt({ username, password })).browser);
    const id = await userIdOf(service.db, 'DE-ABC', username);
    await setPassword(service.db, 'DE-ABC', id, 'another horse battery');
    const statuses = [];
    for (const browser of [...devices, ...devices]) {
      const login = await browser.visit(signIns.start({ prompt: 'login' }));
      statuses.push((await browser.submit(login, { username, password: 'a guess' })).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });

  test('is of no use for another user, in another realm, or with a forged cookie', async () => {
    const { browser } = await attempt({ username, password });
    const [known] = browser.cookies().filter(({ name }) => name.startsWith('device_'));
    expect(known).toMatchObject({ path: '/realms/DE-ABC' });
    const forged = known?.value.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) ?? '';
    await fail(5);
    await service.db.query(
      "update sign_in_failures set blocked_until = now() + interval '1 minute'",
    );
    const stranger = await signIns.open('10.4.0.1');
    stranger.browser.setCookie({ name: known?.name ?? '', value: forged, path: '/realms/DE-ABC' });
    expect((await stranger.browser.submit(stranger.login, { username, password })).status).toBe(
      429,
    );
    const other = `bob-${username}`;
    await addUser(service.db, 'DE-ABC', other, password);
    await fail(5, other);
    await service.db.query(
      "update sign_in_failures set blocked_until = now() + interval '1 minute'",
    );
    const login = await browser.visit(signIns.start({ prompt: 'login' }));
    expect((await browser.submit(login, { username: other, password })).status).toBe(429);
  });
});

describe('one address that tries many users', () => {
  test('is refused after 20 failures in a minute, with all IPv6 networks of the subscriber', async () => {
    const known = await attempt({ username, password }, { from: '2001:db8:7::1' });
    // From a known device, they are no failures of strangers.
    for (let guess = 0; guess < 4; guess++) {
      const login = await known.browser.visit(signIns.start({ prompt: 'login' }));
      const { status } = await known.browser.submit(login, { username, password: 'a guess' });
      expect(status).toBe(401);
    }
    for (let index = 0; index < 20; index++) {
      const from = `2001:db8:7:${index.toString(16)}::1`;
      const { status } = await attempt(
        { username: `user-${index}`, password: 'Summer2026!!' },
        { from },
      );
      expect(status).toBe(401);
    }
    const refused = await attempt({ username, password }, { from: '2001:db8:7:ffff::1' });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(isSignedIn(await attempt({ username, password }, { from: '2001:db8:8::1' }))).toBe(true);
    const login = await known.browser.visit(signIns.start({ prompt: 'login' }));
    expect(isSignedIn(await known.browser.submit(login, { username, password }))).toBe(true);
  });
});

describe('the log', () => {
  const signInsLogged = () =>
    service.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'sign-in');

  test('has every attempt with address, realm, user and outcome', async () => {
    service.log.length = 0;
    await attempt({ username, password: 'a guess' }, { from: '::ffff:192.0.2.44' });
    await attempt({ username, password }, { from: '192.0.2.45' });
    await fail(5);
    await attempt({ username, password }, { from: '192.0.2.46' });
    expect(signInsLogged()).toEqual([
      expect.objectContaining({
        realm: 'DE-ABC',
        address: '::ffff:192.0.2.44',
        user: username,
        outcome: 'wrong-password',
        reqId: expect.any(String),
      }),
      expect.objectContaining({ address: '192.0.2.45', user: username, outcome: 'succeeded' }),
      ...Array(5).fill(expect.objectContaining({ user: username, outcome: 'wrong-password' })),
      expect.objectContaining({ address: '192.0.2.46', user: username, outcome: 'delayed' }),
    ]);
  });

  test('has no name that nobody has, as it may be a password', async () => {
    service.log.length = 0;
    await attempt({ username: 'my-secret-pass', password: 'a guess' });
    expect(signInsLogged()).toEqual([
      expect.objectContaining({ user: 'unknown', outcome: 'wrong-password' }),
    ]);
    expect(service.log.join('')).not.toContain('my-secret-pass');
  });
});
