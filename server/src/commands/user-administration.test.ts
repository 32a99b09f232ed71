import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser } from '../testing/browser.ts';
import { runCommand } from '../testing/run-command.ts';
import { signInUser } from '../testing/signed-in-user.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
});

const password = 'nine otters cross the river';

async function user(line: string, input?: string): Promise<string> {
  const { code, stdout, stderr } = await runCommand(['user', ...line.split(' ')], {
    env: { ...service.database.env, PUBLIC_URL: service.url },
    ...(input !== undefined && { input }),
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const list = async () =>
  JSON.parse(await user('list --provider DE-ABC --json')) as Record<string, unknown>[];

async function setPassword(printed: string): Promise<void> {
  const [link = '', ...words] = printed.split('\n');
  expect(words.join('\n')).toBe('The link is valid once, for 72 hours, and is not shown again.\n');
  const [page = '', token = ''] = link.split('#');
  const browser = openBrowser(service.url);
  const asked = await browser.submit(await browser.visit(page), { token });
  const done = await browser.submit(asked, { password, repeated: password });
  expect(done.text).toContain('The password is set');
}

test('a user is invited, changed, disabled, enabled, reset and removed', async () => {
  await setPassword(await user('invite DE ABC Anna --role viewer --name Anna'));
  expect(await list()).toMatchObject([
    { username: 'anna', name: 'Anna', role: 'viewer', hasPassword: true, disabledAt: null },
    { username: 'demo' },
  ]);
  const first = await signInUser(service, { username: 'anna', password });

  expect(await user('role DE ABC anna admin')).toBe('anna is admin now.\n');
  const { json } = await first.refresh();
  expect(decodeJwt(json.access_token).realm_access).toEqual({ roles: ['admin'] });
  expect(await list()).toMatchObject([{ username: 'anna', name: 'Anna', role: 'admin' }, {}]);

  expect(await user('disable DE ABC Anna')).toBe('Disabled Anna.\n');
  expect((await first.refresh()).status).toBe(400);
  await expect(signInUser(service, { username: 'anna', password })).rejects.toThrow('could not');
  expect(await user('enable DE ABC anna')).toBe('Enabled anna.\n');
  const second = await signInUser(service, { username: 'anna', password });

  const next = 'ten otters cross the river';
  expect(await user('password DE ABC anna', `${next}\n`)).toBe(
    'anna has a new password, and is signed out everywhere.\n',
  );
  expect((await second.refresh()).status).toBe(400);
  await expect(signInUser(service, { username: 'anna', password })).rejects.toThrow('could not');
  const third = await signInUser(service, { username: 'anna', password: next });

  const printed = await user('reset DE ABC anna');
  expect(await third.isSignedIn()).toBe(false);
  await setPassword(printed);
  await signInUser(service, { username: 'anna', password });

  expect(await user('remove DE ABC anna')).toBe('Removed anna.\n');
  expect(await list()).toMatchObject([{ username: 'demo' }]);
  expect(await user('list')).not.toMatch(/scrypt|hash/i);
});

test.each([
  ['an unknown user', 'disable DE ABC nobody', /DE-ABC has no user nobody: "motorpool user list/],
  ['an unknown provider', 'disable DE ZZZ demo', /no asset provider DE-ZZZ/],
  ['an unknown role', 'role DE ABC demo boss', /must be one of databox, viewer, editor, admin/],
  ['a short password', 'password DE ABC demo', /at least 12 characters/],
])('%s is refused with one sentence', async (_what, line, fault) => {
  const before = await list();
  const { code, stdout, stderr } = await runCommand(['user', ...line.split(' ')], {
    env: service.database.env,
    input: 'short\n',
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(fault);
  expect(await list()).toEqual(before);
});

test('a user is given an id and an address, and edited: what is not named stays', async () => {
  const id = '6f1e2d3c-4b5a-4978-8695-a4b3c2d1e0f9';
  await user(`invite DE ABC edited --name Ada --email ada@example.com --id ${id}`);
  const shown = async () => (await list()).find((one) => one.id === id);
  expect(await shown()).toMatchObject({
    username: 'edited',
    name: 'Ada',
    email: 'ada@example.com',
  });
  expect(await user('edit DE ABC edited --email a@example.com')).toBe('Changed edited.\n');
  expect(await shown()).toMatchObject({ name: 'Ada', email: 'a@example.com', role: 'editor' });
  await user('edit DE ABC edited --no-email');
  expect(await shown()).toMatchObject({ name: 'Ada', email: null });
});
