import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, type Page } from '../../testing/browser.ts';
import { createSignIns, type SignIns } from '../../testing/sign-in.ts';
import { requestToken, startTestService, type TestService } from '../../testing/test-service.ts';
import { addClient } from '../clients.ts';
import { hashPassword } from '../password-hash.ts';
import { addUser } from '../users.ts';

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

describe('200 logins at once', () => {
  test('are refused but for a few, and the tokens of another realm are issued', async () => {
    const clients = await Promise.all(times(10).map(newClient));
    const { browser, login } = await signIns.open();
    const flood = times(200).map((index) => {
      const sender = openBrowser(service.url, { 'x-forwarded-for': `10.0.${index}.1` });
      for (const cookie of browser.cookies()) sender.setCookie(cookie);
      return sender.submit(login, { username: `somebody-${index}`, password: 'a guess' });
    });
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
    const guess = (index: number) => ({ username: `anybody-${index}`, password: 'a guess' });
    const flood = times(200).map((index) => browser.submit(login, guess(index)));
    expect((await other.submit(otherLogin, guess(200))).status).toBe(401);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100);
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
});

test('a token is signed while many passwords wait to be hashed', async () => {
  const client = await newClient();
  let hashed = 0;
  const hashes = times(48).map(async () => {
    await hashPassword('correct horse battery');
    hashed++;
  });
  expect((await requestToken(service.url, 'FR-XYZ', client)).status).toBe(200);
  expect(hashed).toBeLessThan(hashes.length);
  await Promise.all(hashes);
});
