import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, openBrowser, type Page } from '../../testing/browser.ts';
import { cheapHashing } from '../../testing/cheap-hashing.ts';
import { createSignIns, type SignIns } from '../../testing/sign-in.ts';
import { requestToken, startTestService, type TestService } from '../../testing/test-service.ts';
import { addClient } from '../clients.ts';
import { setHashingCostForTests } from '../password-hash.ts';
import { addUser } from '../users.ts';
import { type Admission, createAdmission } from './admission.ts';

let service: TestService;
let signIns: SignIns;

beforeAll(async () => {
  service = await startTestService({ trustProxy: 1 });
  signIns = await createSignIns(service);
});
afterAll(() => service.stop());

const times = (count: number) => Array.from({ length: count }, (_, index) => index);

async function newClient() {
  const { id, secret = '' } = await addClient(service.db, 'FR-XYZ', { name: 'A machine' });
  return { clientId: id, clientSecret: secret };
}

const guess = (index: number) => ({ username: `anybody-${index}`, password: 'a guess' });

/** The same sign-in from another address. */
function sharingCookies(browser: Browser, address: string): Browser {
  const other = openBrowser(service.url, { 'x-forwarded-for': address });
  for (const cookie of browser.cookies()) other.setCookie(cookie);
  return other;
}

describe('200 logins at once', () => {
  // So that those that are admitted are still in progress when the others arrive.
  beforeAll(() => setHashingCostForTests());
  afterAll(() => setHashingCostForTests(cheapHashing));

  test('are refused but for a few, and the tokens of another realm are issued', async () => {
    const clients = await Promise.all(times(10).map(newClient));
    const { browser, login } = await signIns.open();
    const flood = times(200).map((index) =>
      sharingCookies(browser, `10.0.${index}.1`).submit(login, guess(index)),
    );
    const tokens = clients.map((client) => requestToken(service.url, 'FR-XYZ', client));

    expect((await Promise.all(tokens)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(100);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(200 - refused.length);
    for (const { headers, text } of refused) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(text).toContain('<h1>Sign in</h1>');
    }
  });

  test('from one address leave room for another', async () => {
    const { browser, login } = await signIns.open('10.1.0.1');
    const { browser: other, login: otherLogin } = await signIns.open('10.1.0.2');
    const flood = times(200).map((index) => browser.submit(login, guess(index)));
    expect((await other.submit(otherLogin, guess(200))).status).toBe(401);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100);
  });

  test('from all IPv6 networks of one subscriber leave room for another', async () => {
    const { browser, login } = await signIns.open('2001:db8:1::1');
    const { browser: other, login: otherLogin } = await signIns.open('2001:db8:2::1');
    const flood = times(200).map((index) => {
      const address = `2001:db8:1:${(index % 100).toString(16)}::1`;
      return sharingCookies(browser, address).submit(login, guess(index));
    });
    expect((await other.submit(otherLogin, guess(201))).status).toBe(401);
    await Promise.all(flood);
  });
});

describe('sign-ins with the right password, from devices that are known,', () => {
  const password = 'correct horse battery';
  const addresses = times(100).map((index) => `10.2.${index}.1`);

  /** On the login page, in a browser from which the user has signed in. */
  async function openKnown(realm: string, username: string) {
    await addUser(service.db, realm, username, password);
    const application = await createSignIns(service, realm);
    const { browser, login } = await application.open(addresses.pop());
    await browser.submit(login, { username, password });
    const again = await browser.visit(application.start({ prompt: 'login' }));
    return () => browser.submit(again, { username, password });
  }

  const isSignedIn = ({ url }: Page) => url.startsWith('https://app.example.com/?code=');

  test('of one user leave room for another of the realm', async () => {
    const signInAsMallory = await openKnown('DE-ABC', 'mallory');
    const signInAsAda = await openKnown('DE-ABC', 'ada');
    const flood = times(60).map(signInAsMallory);
    expect(isSignedIn(await signInAsAda())).toBe(true);
    await Promise.all(flood);
  });

  test('of all users of a realm leave room for another realm', async () => {
    const users: (() => Promise<Page>)[] = [];
    for (const index of times(8)) users.push(await openKnown('DE-ABC', `accomplice-${index}`));
    const signInAsBob = await openKnown('FR-XYZ', 'bob');
    const flood = times(6).flatMap(() => users.map((signIn) => signIn()));
    expect(isSignedIn(await signInAsBob())).toBe(true);
    await Promise.all(flood);
  });

  test('of four users, with guesses from one address, leave room for a new device', async () => {
    const users: (() => Promise<Page>)[] = [];
    for (const index of times(4)) users.push(await openKnown('DE-ABC', `tenant-${index}`));
    const { browser, login } = await signIns.open('10.3.0.1');
    const { browser: other, login: otherLogin } = await signIns.open('10.3.0.2');
    const flood = times(40).flatMap((index) => [
      ...users.map((signIn) => signIn()),
      browser.submit(login, guess(index)),
    ]);
    expect((await other.submit(otherLogin, guess(202))).status).toBe(401);
    await Promise.all(flood);
  });
});

describe('of what is in progress at once', () => {
  const enters = (admission: Admission, network: string, count: number, realm = 'DE-ABC') =>
    times(count).filter(() => admission.enter(realm, network)).length;

  test('one site has 5, all together 10, and those with none in progress one each up to 20', () => {
    const admission = createAdmission();
    expect(enters(admission, '10.0.0.1', 6)).toBe(5);
    expect(enters(admission, '2001:db8:a:1::/64', 4)).toBe(4);
    expect(enters(admission, '2001:db8:a:2::/64', 4)).toBe(1);
    for (const index of times(10)) expect(enters(admission, `10.1.0.${index}`, 2)).toBe(1);
    expect(enters(admission, '10.2.0.1', 1)).toBe(0);
  });

  test('strangers of one realm leave room for one of each other realm, up to 40', () => {
    const admission = createAdmission();
    for (const index of times(20)) expect(enters(admission, `10.1.0.${index}`, 1)).toBe(1);
    expect(enters(admission, '10.2.0.1', 1)).toBe(0);
    for (const index of times(20))
      expect(enters(admission, `10.3.0.${index}`, 2, `FR-${index}`)).toBe(1);
    expect(enters(admission, '10.4.0.1', 1, 'AT-NEW')).toBe(0);
  });

  test('of known devices, one realm has 8, all together 64, and realms with none in progress one each up to 128', () => {
    const admission = createAdmission();
    const admits = (realm: string, count: number) =>
      times(count).filter((user) => admission.enter(realm, '10.0.0.1', `user ${user}`)).length;
    for (const realm of times(8)) expect(admits(`DE-${realm}`, 9)).toBe(8);
    for (const realm of times(64)) expect(admits(`FR-${realm}`, 2)).toBe(1);
    expect(admits('AT-NEW', 1)).toBe(0);
    for (const index of times(20)) expect(enters(admission, `10.1.0.${index}`, 1)).toBe(1);
  });

  test('each leaves the room that it had', () => {
    const admission = createAdmission();
    const leave = times(5).map(() => admission.enter('DE-ABC', '10.0.0.1'));
    expect(admission.enter('DE-ABC', '10.0.0.1')).toBeUndefined();
    leave[0]?.();
    expect(admission.enter('DE-ABC', '10.0.0.1')).toBeDefined();
    expect(admission.enter('DE-ABC', '10.0.0.1')).toBeUndefined();
  });
});
