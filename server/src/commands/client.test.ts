import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../testing/run-command.ts';
import { requestToken, startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
});

const motorpool = (...args: string[]) => runCommand(args, { env: service.database.env });

const statusOf = async (realm: string, clientId: string, clientSecret: string) =>
  (await requestToken(service.url, realm, { clientId, clientSecret })).status;

test('for a person the secret is printed with the word that it is not shown again', async () => {
  const { code, stdout } = await motorpool('client', 'add', 'DE', 'ABC', '--name', 'Wérkstatt 7');
  expect(code).toBe(0);
  const [, id = '', secret = ''] =
    /^client_id {6}(\S+)\nclient_secret {2}(\S+)\nThe secret is not shown again\.\n$/.exec(
      stdout,
    ) ?? [];
  expect(id).toMatch(/^we-?rkstatt-7-[0-9a-f]{10}$/);
  expect(await statusOf('DE-ABC', id, secret)).toBe(200);
});

test('an id that two providers have asks for --provider', async () => {
  for (const command of ['rotate', 'disable', 'enable', 'remove']) {
    const ambiguous = await motorpool('client', command, 'demo-client');
    expect(ambiguous).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'motorpool: Several providers have a client demo-client (DE-ABC, FR-XYZ): say which one with --provider.\n',
    });
  }
  const rotated = await motorpool(
    'client',
    'rotate',
    'demo-client',
    '--provider',
    'FR-XYZ',
    '--json',
  );
  const { clientSecret } = JSON.parse(rotated.stdout);
  expect(await statusOf('FR-XYZ', 'demo-client', clientSecret)).toBe(200);
  expect(await statusOf('FR-XYZ', 'demo-client', 'demo-secret')).toBe(401);
  expect(await statusOf('DE-ABC', 'demo-client', 'demo-secret')).toBe(200);
});

test('clients and users are named with their asset provider by two words or by --provider', async () => {
  for (const list of ['client', 'user']) {
    const { stdout } = await motorpool(list, 'list', 'FR', 'XYZ', '--json');
    const rows: { provider: string }[] = JSON.parse(stdout);
    expect(new Set(rows.map(({ provider }) => provider))).toEqual(new Set(['FR-XYZ']));
    expect(await motorpool(list, 'list', '--provider', 'FR-XYZ', '--json')).toEqual({
      code: 0,
      stdout,
      stderr: '',
    });
  }
  const viewer = await motorpool('client', 'role', 'FR', 'XYZ', 'demo-client', 'viewer');
  expect(viewer.stdout).toBe('demo-client of FR-XYZ is viewer now.\n');
  const role = await motorpool('user', 'role', 'demo', 'viewer', '--provider', 'FR-XYZ');
  expect(role.stdout).toBe('demo is viewer now.\n');
});

test('a public client has no secret, and none can be made for it', async () => {
  const add = ['client', 'add', 'DE', 'ABC', '--name', 'Page', '--public', '--json'];
  const added = await motorpool(...add, '--redirect-uri', 'https://app.example.com/signed-in');
  const { clientId, ...rest } = JSON.parse(added.stdout);
  expect(rest).toEqual({});
  const rotated = await motorpool('client', 'rotate', clientId);
  expect(rotated).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `motorpool: The client ${clientId} is public: it has no secret to replace.\n`,
  });
});

test('a client is changed, rotated with an overlap, disabled, enabled and removed', async () => {
  const add = ['client', 'add', 'DE', 'ABC', '--name', 'Changing', '--json'];
  const { clientId, clientSecret } = JSON.parse((await motorpool(...add)).stdout);
  const said = async (...args: string[]) => (await motorpool('client', ...args)).stdout;
  const shown = async () => {
    const clients = JSON.parse(await said('list', '--provider', 'DE-ABC', '--json'));
    return clients.find(({ id }: { id: string }) => id === clientId);
  };
  expect(await shown()).toMatchObject({ role: 'editor', networks: [], expiresAt: null });
  expect(await said('role', clientId, 'viewer')).toBe(`${clientId} of DE-ABC is viewer now.\n`);
  expect(await shown()).toMatchObject({ role: 'viewer' });

  const rotated = JSON.parse(await said('rotate', clientId, '--keep-previous', '24', '--json'));
  expect((await shown()).previousSecretExpiresAt).toMatch(/Z$/);
  for (const secret of [clientSecret, rotated.clientSecret])
    expect(await statusOf('DE-ABC', clientId, secret)).toBe(200);
  const tooLong = await motorpool('client', 'rotate', clientId, '--keep-previous', '721');
  expect(tooLong).toMatchObject({ code: 1, stderr: expect.stringContaining('from 0 to 720') });

  expect(await said('disable', clientId)).toBe(`Disabled ${clientId} of DE-ABC.\n`);
  expect(await statusOf('DE-ABC', clientId, rotated.clientSecret)).toBe(401);
  expect(await said('enable', clientId)).toBe(`Enabled ${clientId} of DE-ABC.\n`);
  expect(await statusOf('DE-ABC', clientId, rotated.clientSecret)).toBe(200);
  expect(await said('remove', clientId)).toBe(`Removed ${clientId} of DE-ABC.\n`);
  expect(await statusOf('DE-ABC', clientId, rotated.clientSecret)).toBe(401);
  expect(await shown()).toBeUndefined();
});

test('an id that is a name of every object is refused', async () => {
  const add = ['client', 'add', 'DE', 'ABC', '--name', 'Board', '--id', 'constructor'];
  expect(await motorpool(...add)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'motorpool: "constructor" is reserved, as all names that every object has.\n',
  });
});

test('a client is given an id, and edited: what is not named stays', async () => {
  const uri = 'https://app.example.com/signed-in';
  const add = ['client', 'add', 'DE', 'ABC', '--name', 'Board', '--id', 'board', '--public'];
  const added = await motorpool(...add, '--redirect-uri', uri, '--audience', 'reports');
  expect(added.stdout).toBe('client_id      board\n');
  const shown = async () => {
    const list = await motorpool('client', 'list', '--provider', 'DE-ABC', '--json');
    return JSON.parse(list.stdout).find(({ id }: { id: string }) => id === 'board');
  };
  const edit = ['client', 'edit', 'board', '--redirect-uri', `${uri}/2`, '--redirect-uri', uri];
  expect((await motorpool(...edit, '--expires', '2099-12-31')).stdout).toBe(
    'Changed board of DE-ABC.\n',
  );
  expect(await shown()).toMatchObject({
    name: 'Board',
    redirectUris: [`${uri}/2`, uri],
    audiences: ['reports'],
    expiresAt: '2099-12-31T23:59:59.999Z',
  });
  await motorpool('client', 'edit', 'board', '--name', 'New', '--no-expires', '--no-audience');
  expect(await shown()).toMatchObject({ name: 'New', audiences: [], expiresAt: null });
  const wildcard = await motorpool(
    'client',
    'edit',
    'board',
    '--redirect-uri',
    'https://a.example/*',
  );
  expect([wildcard.code, wildcard.stderr]).toEqual([1, expect.stringContaining('asterisk')]);
  const none = await motorpool('client', 'edit', 'board', '--no-redirect-uri');
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('needs a redirect URI')]);
  expect(await shown()).toMatchObject({ redirectUris: [`${uri}/2`, uri] });
});
