import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../platform/db/database.ts';
import { createSecretBox } from '../../platform/secrets/secret-box.ts';
import { ageRecords } from '../../testing/age-records.ts';
import { type Browser, openBrowser, type Page } from '../../testing/browser.ts';
import { testSecretKeys } from '../../testing/global-setup.ts';
import { lockTable } from '../../testing/lock-table.ts';
import { lockWaits } from '../../testing/lock-waits.ts';
import { createSignIns, type SignIns } from '../../testing/sign-in.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { resealSecrets } from '../sealed-secrets.ts';
import { resetUser, userIdOf } from '../user-accounts.ts';
import { addUser } from '../users.ts';
import { redeemCode, removeSecondFactor } from './second-factor.ts';
import { signInKeyLoader } from './sign-in-key.ts';
import { stepAt, totpCode } from './totp.ts';

let service: TestService;
let signIns: SignIns;
let users = 0;
let username: string;

const password = 'correct horse battery';

beforeAll(async () => {
  service = await startTestService({ trustProxy: 1 });
  signIns = await createSignIns(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  username = `ada-${++users}`;
  await addUser(service.db, 'DE-ABC', username, password);
});

const account = () => `${service.url}/realms/DE-ABC/account`;
const isSignedIn = ({ url }: Page) => url.startsWith('https://app.example.com/?code=');

type Enrolled = { browser: Browser; secret: Buffer; codes: string[] };

async function openAccount(): Promise<{ browser: Browser; page: Page }> {
  const browser = openBrowser(service.url);
  const login = await browser.visit(account());
  expect(login.text).toContain('<h1>Sign in</h1>');
  return { browser, page: await browser.submit(login, { username, password }) };
}

function secretOf({ text }: Page): Buffer {
  const [, encoded = ''] = /name="enrolment" value="([\w-]+)\./.exec(text) ?? [];
  return Buffer.from(encoded, 'base64url');
}

async function enrol(): Promise<Enrolled> {
  const { browser, page } = await openAccount();
  const secret = secretOf(page);
  const done = await browser.submit(page, { code: currentCode(secret) });
  expect(done.status, done.text).toBe(200);
  const codes = [...done.text.matchAll(/<li><code>([A-Z2-7 ]+)<\/code>/g)].map(
    ([, code = '']) => code,
  );
  await nextStep();
  return { browser, secret, codes };
}

/** A code of the next step can be used, without waiting for it. */
function nextStep() {
  return service.db.query('update second_factors set last_step = 0');
}

function currentCode(secret: Buffer): string {
  return totpCode(secret, stepAt(Date.now()));
}

async function typePassword(): Promise<{ browser: Browser; page: Page }> {
  const { browser, login } = await signIns.open();
  return { browser, page: await browser.submit(login, { username, password }) };
}

async function signInWith(code: string): Promise<Page> {
  const { browser, page } = await typePassword();
  return browser.submit(page, { code });
}

describe('a person who is signed in', () => {
  test('leaves in the audit trail who added it, and no secret', async () => {
    const { secret, codes } = await enrol();
    const filters = [{ field: 'type', value: 'second-factor' }];
    const { json, text } = await service.call('POST', '/audit/search', { filters });
    expect(json.items[0]).toMatchObject({
      action: 'created',
      actor: { kind: 'user', username, address: expect.any(String) },
      changes: { sealedSecret: { after: '***' } },
    });
    for (const hidden of [secret.toString('base64url'), ...codes])
      expect(text).not.toContain(hidden);
  });

  test('adds a second factor with a code of the app, and is shown ten recovery codes once', async () => {
    const { browser, page } = await openAccount();
    expect(page.url).toBe(account());
    expect(page.text).toContain('Add a second factor');
    expect(page.text).toContain('<svg');
    const uri = /href="(otpauth:[^"]*)"/.exec(page.text)?.[1]?.replaceAll('&#38;', '&') ?? '';
    expect(new URL(uri).searchParams.get('issuer')).toBe('Motorpool DE-ABC');
    const wrong = await browser.submit(page, { code: '000000' });
    expect([wrong.status, secretOf(wrong)]).toEqual([400, secretOf(page)]);
    const done = await browser.submit(wrong, { code: currentCode(secretOf(page)) });
    expect(done.text.match(/<li><code>/g)).toHaveLength(10);
    const again = await browser.visit(account());
    expect(again.text).toContain('The second factor is on');
    expect(again.text).not.toContain('<li><code>');
  });

  test('is signed out everywhere else by adding it', async () => {
    const { browser: elsewhere } = await openAccount();
    const { browser } = await enrol();
    expect((await elsewhere.visit(account())).text).toContain('<h1>Sign in</h1>');
    expect((await browser.visit(account())).text).toContain('The second factor is on');
  });

  test('is also signed out where a sign-in was about to be finished without it', async () => {
    const { browser: own, page } = await openAccount();
    const { browser, login } = await signIns.open();
    const finish = await browser.begin(login, { username, password });
    const unlock = await lockTable(service.db, 'oidc_records', 'share');
    const finished = finish();
    await expect.poll(() => lockWaits(service.db)).toBe(1);
    const enrolled = own.submit(page, { code: currentCode(secretOf(page)) });
    await expect.poll(() => lockWaits(service.db)).toBe(2);
    await unlock();
    await Promise.all([finished, enrolled]);
    expect((await browser.visit(account())).text).toContain('<h1>Sign in</h1>');
    expect((await own.visit(account())).text).toContain('The second factor is on');
  });

  test('sends one form at a time', async () => {
    const { browser, page } = await openAccount();
    const unlock = await lockTable(service.db, 'second_factors');
    const answers = [browser.submit(page, { code: currentCode(secretOf(page)) })];
    await expect.poll(() => lockWaits(service.db)).toBe(1);
    const other = await browser.submit(page, { code: currentCode(secretOf(page)) });
    expect([other.status, other.headers['retry-after']]).toEqual([429, '1']);
    await unlock();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200]);
  });

  test('whose sign-in is older than ten minutes has to sign in again first', async () => {
    const { browser } = await openAccount();
    await ageRecords(service.db, { kind: 'Session', seconds: 601, properties: ['loginTs'] });
    const page = await browser.visit(account());
    expect(page.text).toContain('<h1>Sign in</h1>');
    expect((await browser.submit(page, { username, password })).url).toBe(account());
  });

  test('cannot be made to add a secret that somebody else chose', async () => {
    const [own, other] = [await openAccount(), await openAccount()];
    const secret = secretOf(other.page);
    const enrolment = /name="enrolment" value="([^"]*)"/.exec(other.page.text)?.[1] ?? '';
    const page = await own.browser.submit(own.page, { enrolment, code: currentCode(secret) });
    expect(page.text).toContain('Add a second factor');
    expect(
      await service.db.query(
        'select 1 from second_factors where user_id = (select id from users where username = $1)',
        [username],
      ),
    ).toEqual([]);
  });

  test('turns it off with a code, and not without one', async () => {
    const { browser, secret } = await enrol();
    const page = await browser.visit(account());
    const wrong = await browser.submit(page, { code: '000000' });
    expect([wrong.status, wrong.text.includes('The code is wrong')]).toEqual([400, true]);
    const removed = await browser.submit(wrong, { code: currentCode(secret) });
    expect(removed.text).toContain('Add a second factor');
    const { page: done } = await typePassword();
    expect(isSignedIn(done)).toBe(true);
  });

  test('takes the code of a sign-in that another site has begun for no guess', async () => {
    const { browser, secret } = await enrol();
    const query = new URLSearchParams({
      client_id: 'motorpool-account',
      redirect_uri: account(),
      response_type: 'code',
      response_mode: 'form_post',
      scope: 'openid',
      prompt: 'none',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
    });
    for (let times = 0; times < 6; times++) {
      const posted = await browser.visit(
        `${service.url}/realms/DE-ABC/protocol/openid-connect/auth?${query}`,
      );
      const page = await browser.submit(posted, {});
      expect([page.status, page.text.includes('The second factor is on')]).toEqual([200, true]);
    }
    const page = await browser.visit(account());
    const removed = await browser.submit(page, { code: currentCode(secret) });
    expect(removed.text).toContain('Add a second factor');
  });
});

describe('a sign-in of a user with a second factor', () => {
  test('asks for the code after the right password alone', async () => {
    const { secret } = await enrol();
    const { browser, login } = await signIns.open();
    const wrong = await browser.submit(login, { username, password: 'a guess' });
    expect([wrong.status, wrong.text.includes('name="code"')]).toEqual([401, false]);
    const asked = await browser.submit(login, { username, password });
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('name="code"');
    expect(asked.text).toContain('autocomplete="one-time-code"');
    const wrongCode = await browser.submit(asked, { code: '000000' });
    expect([wrongCode.status, wrongCode.text.includes('The code is wrong')]).toEqual([401, true]);
    expect(isSignedIn(await browser.submit(wrongCode, { code: currentCode(secret) }))).toBe(true);
  });

  test('takes each code once, of two at the same moment included', async () => {
    const { secret } = await enrol();
    const code = currentCode(secret);
    const opened = [await typePassword(), await typePassword()];
    const done = await Promise.all(
      opened.map(({ browser, page }) => browser.submit(page, { code })),
    );
    expect(done.filter(isSignedIn)).toHaveLength(1);
    expect((await signInWith(code)).status).toBe(401);
    expect((await signInWith(totpCode(secret, stepAt(Date.now()) - 1))).status).toBe(401);
    await nextStep();
    expect(isSignedIn(await signInWith(currentCode(secret)))).toBe(true);
  });

  test('takes each recovery code once, however it is written', async () => {
    const { codes } = await enrol();
    const [first = '', second = ''] = codes;
    expect(isSignedIn(await signInWith(first))).toBe(true);
    expect((await signInWith(first)).status).toBe(401);
    expect(isSignedIn(await signInWith(second.toLowerCase().replaceAll(' ', '-')))).toBe(true);
    const stored = await service.db.query<{ row: string }>(
      'select c::text as row from recovery_codes c',
    );
    for (const { row } of stored) expect(row).not.toContain(second.replaceAll(' ', ''));
  });

  test('is delayed after five wrong codes, also with the right one', async () => {
    const { secret } = await enrol();
    const statuses = [];
    for (let guess = 0; guess < 6; guess++) statuses.push((await signInWith('000000')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await signInWith(currentCode(secret))).status).toBe(429);
  });

  test('gives a device on which it was not asked for no guesses of its own, and the one on which it was added, some', async () => {
    const devices: Browser[] = [];
    for (let count = 0; count < 2; count++) devices.push((await typePassword()).browser);
    // One that has had another second factor.
    const before = await enrol();
    const page = await before.browser.visit(account());
    await before.browser.submit(page, { code: currentCode(before.secret) });
    devices.push(before.browser);
    const { browser: ownDevice, secret } = await enrol();
    const typeCode = async (browser: Browser, code: string) => {
      const login = await browser.visit(signIns.start({ prompt: 'login' }));
      return browser.submit(await browser.submit(login, { username, password }), { code });
    };
    const statuses = [];
    for (const device of [...devices, ...devices])
      statuses.push((await typeCode(device, '000000')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(isSignedIn(await typeCode(ownDevice, currentCode(secret)))).toBe(true);
  });

  test('takes no proof of the password from another sign-in, user or time', async () => {
    const { secret } = await enrol();
    const { page: asked } = await typePassword();
    const passed = /name="passed" value="([^"]*)"/.exec(asked.text)?.[1] ?? '';
    const code = currentCode(secret);
    const { browser, login } = await signIns.open();
    for (const forged of [passed, '', 'x.y.z', passed.replace(/\.\d+\./, '.9999999999.')]) {
      const page = await browser.submit(login, { passed: forged, code });
      expect([page.status, isSignedIn(page)]).toEqual([400, false]);
    }
  });

  test('is over when the password is reset before the code is sent', async () => {
    const { secret } = await enrol();
    const { browser, page } = await typePassword();
    const id = await userIdOf(service.db, 'DE-ABC', username);
    await resetUser(service.db, 'DE-ABC', id, { removesSecondFactor: false });
    const late = await browser.submit(page, { code: currentCode(secret) });
    expect([late.status, isSignedIn(late)]).toEqual([400, false]);
  });

  test('needs no code any more once an operator has removed the second factor', async () => {
    await enrol();
    const [user] = await service.db.query<{ id: string }>(
      'select id from users where username = $1',
      [username],
    );
    await removeSecondFactor(service.db, { provider: 'DE-ABC', userId: user?.id ?? '' });
    expect(isSignedIn((await typePassword()).page)).toBe(true);
  });

  test('is logged step by step, without the codes', async () => {
    const { secret } = await enrol();
    service.log.length = 0;
    const { browser, page } = await typePassword();
    await browser.submit(page, { code: 'a-wrong-one' });
    const code = currentCode(secret);
    await browser.submit(page, { code });
    const outcomes = service.log
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'sign-in')
      .map((line) => [line.user, line.outcome]);
    expect(outcomes).toEqual([
      [username, 'code-required'],
      [username, 'wrong-code'],
      [username, 'succeeded'],
    ]);
    expect(service.log.join('')).not.toMatch(/a-wrong-one/);
    const filters = [{ field: 'actor.username', value: username }];
    const { json } = await service.call('POST', '/audit/search', { filters });
    const recorded = json.items.map((event: { action: string }) => event.action);
    expect(recorded.slice(0, 2)).toEqual(['signed-in', 'code-failed']);
  });
});

test('the secret is stored sealed, and follows a rotation of the key', async () => {
  const { secret } = await enrol();
  const key = randomBytes(32);
  const rotating = openDatabase(service.database.connection, {
    poolSize: 1,
    statementTimeoutMs: 10_000,
    secrets: createSecretBox([key, ...testSecretKeys]),
  });
  try {
    const stored = async () =>
      (await rotating.query<{ row: string }>('select f::text as row from second_factors f'))
        .map(({ row }) => row)
        .join();
    const encodings = ['hex', 'base64', 'base64url'] as const;
    for (const encoding of encodings)
      expect(await stored()).not.toContain(secret.toString(encoding));
    await resealSecrets(rotating);
    expect(await stored()).toContain(`${createSecretBox([key]).keyId}.`);
    const [user] = await rotating.query<{ id: string }>(
      'select id from users where username = $1',
      [username],
    );
    const owner = { provider: 'DE-ABC', userId: user?.id ?? '' };
    const signInKey = await signInKeyLoader(rotating)();
    expect(await redeemCode(rotating, signInKey, owner, currentCode(secret))).toBe(true);
  } finally {
    await rotating.close();
  }
});

test('a form with what cannot be stored is refused, not failed on', async () => {
  const { browser, login } = await signIns.open();
  const { status } = await browser.submit(login, { passed: '\0', code: '000000' });
  expect(status).toBe(400);
});
