import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testUser } from '../testing/global-setup.ts';
import { createSignIns, type SignIns } from '../testing/sign-in.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';
import { createSignInRecorder } from './record-sign-in.ts';
import { addUser } from './users.ts';

let service: TestService;
let signIns: SignIns;
beforeAll(async () => {
  service = await startTestService();
  signIns = await createSignIns(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.owner.query('delete from audit_events');
});

const events = async (filters: object[] = []) =>
  (await service.call('POST', '/audit/search', { filters })).json.items;

test('who signs in and out is recorded', async () => {
  const { browser, login } = await signIns.open();
  await browser.submit(login, testUser);
  const [user] = await service.db.query<{ id: string }>(
    `select id from users where provider = 'DE-ABC' and username = 'demo'`,
  );
  expect(await events()).toMatchObject([
    {
      action: 'signed-in',
      type: 'user',
      recordId: user?.id,
      actor: {
        kind: 'user',
        clientId: expect.stringMatching(/^an-application-/),
        subject: user?.id,
        username: 'demo',
        address: '127.0.0.1',
      },
      operation: 'signIn',
      requestId: expect.any(String),
    },
  ]);
  const logout = await browser.visit(`${service.url}/realms/DE-ABC/protocol/openid-connect/logout`);
  await browser.submit(logout, { logout: 'yes' });
  expect(await events([{ field: 'action', value: 'signed-out' }])).toMatchObject([
    { actor: { kind: 'user', username: 'demo' }, operation: 'signOut' },
  ]);
});

test('a user who is named like the id of another one signs in as nobody else', async () => {
  const [demo] = await service.db.query<{ id: string }>(
    `select id from users where provider = 'DE-ABC' and username = 'demo'`,
  );
  const username = demo?.id ?? '';
  const password = 'nine otters cross the river';
  await addUser(service.db, 'DE-ABC', username, password);
  const { browser, login } = await signIns.open();
  await browser.submit(login, { username, password });
  expect(await events([{ field: 'action', value: 'signed-in' }])).toMatchObject([
    { actor: { username, subject: expect.not.stringMatching(username) } },
  ]);
});

test('a failure is recorded, with the name only where somebody has it', async () => {
  const { browser, login } = await signIns.open();
  await browser.submit(login, { username: 'demo', password: 'wrong' });
  await browser.submit(login, { username: 'my-password-123', password: 'demo' });
  const found = await events();
  expect(found).toMatchObject([
    { action: 'sign-in-failed', actor: { kind: 'anonymous', address: '127.0.0.1' } },
    { action: 'sign-in-failed', actor: { kind: 'anonymous', username: 'demo' } },
  ]);
  expect(JSON.stringify(found)).not.toContain('my-password-123');
});

test('as much is recorded of names that nobody has as of others', async () => {
  const { browser, login } = await signIns.open();
  for (const username of ['nobody-1', 'nobody-2', 'nobody-1'])
    await browser.submit(login, { username, password: 'wrong' });
  const found = await events();
  expect(found).toMatchObject([{ action: 'sign-in-failed' }, { action: 'sign-in-failed' }]);
  expect(JSON.stringify(found)).not.toContain('nobody');
});

test('of the failures of a name from an address the first of a minute is recorded', async () => {
  let now = 1_000;
  const record = createSignInRecorder(service.db, () => now);
  const failed = (user: string, address: string) =>
    record({ provider: 'DE-ABC', action: 'sign-in-failed', type: 'user', user, address });
  const count = async () => (await events()).length;
  for (const user of ['demo', 'Demo', 'demo']) await failed(user, '192.0.2.1');
  expect(await count()).toBe(1);
  await failed('demo', '192.0.2.2');
  await failed('other', '192.0.2.1');
  expect(await count()).toBe(3);
  now += 60_000;
  await failed('demo', '192.0.2.1');
  expect(await count()).toBe(4);
});

test('a client that fails is recorded once, and one that succeeds is not', async () => {
  const credentials = { clientId: 'demo-client', clientSecret: 'wrong' };
  for (let attempt = 0; attempt < 5; attempt++)
    expect((await requestToken(service.url, 'DE-ABC', credentials)).status).toBe(401);
  await requestToken(service.url, 'DE-ABC', { ...credentials, clientSecret: 'demo-secret' });
  expect(await events()).toMatchObject([
    {
      action: 'sign-in-failed',
      type: 'client',
      recordId: 'demo-client',
      actor: { kind: 'anonymous', clientId: 'demo-client', address: '127.0.0.1' },
      operation: 'requestToken',
    },
  ]);
});

test('whoever tries many names in many realms from an address leaves room for others', async () => {
  const record = createSignInRecorder(service.db);
  const fail = (provider: string, address: string, number: number) =>
    record({
      provider,
      action: 'sign-in-refused',
      type: 'client',
      clientId: `client-${number}`,
      address,
    });
  const recorded = async () => (await service.db.query('select from audit_events')).length;
  for (let number = 0; number < 50; number++) {
    await fail('DE-ABC', '192.0.2.1', number);
    await fail('FR-XYZ', '192.0.2.1', number);
  }
  expect(await recorded()).toBe(30);
  await fail('DE-ABC', '192.0.2.2', 1);
  expect(await recorded()).toBe(31);
  // Who gets so far has guessed a password.
  const code = { provider: 'DE-ABC', type: 'user', user: 'demo', address: '192.0.2.1' } as const;
  for (const _ of [1, 2]) await record({ ...code, action: 'code-failed' });
  expect(await recorded()).toBe(32);
});

test('whoever makes up more names than are remembered is still counted, and so are others', async () => {
  const record = createSignInRecorder(service.db, () => 1_000);
  const fail = (clientId: string, address: string) =>
    record({ provider: 'DE-ABC', action: 'sign-in-refused', type: 'client', clientId, address });
  for (let number = 0; number < 40; number++) await fail(`client-${number}`, '192.0.2.2');
  for (let number = 0; number < 10_100; number++) await fail(`made-up-${number}`, '192.0.2.1');
  for (let number = 0; number < 40; number++) await fail(`other-${number}`, '192.0.2.2');
  expect((await service.db.query('select from audit_events')).length).toBe(60);
});

test('whoever tries many names from many addresses cannot fill the disk', async () => {
  let now = 1_000;
  const record = createSignInRecorder(service.db, () => now);
  const attack = async () => {
    for (let number = 0; number < 200; number++)
      await record({
        provider: 'DE-ABC',
        action: 'sign-in-failed',
        type: 'user',
        user: `name-${number}\0`,
        address: `2001:db8:${number}::1`,
      });
    return (await service.db.query('select from audit_events')).length;
  };
  expect(await attack()).toBe(60);
  expect(await attack()).toBe(60);
  now += 60_000;
  expect(await attack()).toBe(120);
});
