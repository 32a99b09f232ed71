import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { authenticateUser } from '../auth/users.ts';
import { openConfiguredDatabase } from '../platform/db/open-database.ts';
import { send } from '../testing/http-client.ts';
import { migratedDataDir } from '../testing/migrated-data-dir.ts';
import { runCommand } from '../testing/run-command.ts';
import { createSandbox, postgresOf, type Sandbox } from '../testing/sandbox.ts';
import { requestToken } from '../testing/test-service.ts';

type Credentials = { clientId: string; clientSecret: string };

/**
 * The same commands in the same order: what they did must not depend on who else is there. They run in this process,
 * beside a service that is another, or without one.
 */
describe.each(['beside a running service', 'without a service'])('%s', (mode) => {
  const isServing = mode.startsWith('beside');
  let sandbox: Sandbox;
  let dataDir: string;
  let service: Awaited<ReturnType<typeof start>> | undefined;
  let newKey: string | undefined;
  let heldToken: string | undefined;
  const clients: Record<'kept' | 'rotated' | 'renewed' | 'disabled' | 'french', Credentials> =
    {} as never;

  const start = () => sandbox.start(['serve'], { env: { DATA_DIR: dataDir } });
  beforeAll(async () => {
    sandbox = createSandbox();
    dataDir = isServing ? await migratedDataDir(sandbox) : sandbox.dataDir();
    if (isServing) service = await start();
  });
  afterAll(() => sandbox.close());

  async function motorpool(line: string, input?: string): Promise<string> {
    const { code, stdout, stderr } = await runCommand(line.split(' '), {
      env: { DATA_DIR: dataDir },
      ...(input === undefined ? {} : { input }),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(postgresOf(dataDir) !== undefined).toBe(isServing);
    return stdout;
  }
  const newClient = async (provider: string): Promise<Credentials> =>
    JSON.parse(await motorpool(`client add ${provider} --name Tester --json`));

  test('migrate brings the schema up once', async () => {
    if (!isServing) expect(await motorpool('migrate')).toMatch(/^Migrated: \d+ steps?\.\n$/);
    expect(await motorpool('migrate')).toBe('The schema is the newest already.\n');
  });

  test('provider add and list', async () => {
    expect(await motorpool('provider add DE ABC --name First')).toMatch(/^Added DE-ABC\./);
    expect(await motorpool('provider add FR XYZ --name Second')).toMatch(/^Added FR-XYZ\./);
    expect(JSON.parse(await motorpool('provider list --json'))).toMatchObject([
      { countryCode: 'DE', code: 'ABC', name: 'First', demo: false, disabledAt: null },
      { countryCode: 'FR', code: 'XYZ', name: 'Second', demo: false, disabledAt: null },
    ]);
  });

  test('client add, list, rotate and disable', async () => {
    clients.kept = await newClient('DE ABC');
    clients.rotated = await newClient('DE ABC');
    clients.disabled = await newClient('DE ABC');
    clients.french = await newClient('FR XYZ');
    const { clientId, clientSecret } = clients.rotated;
    const renewed = JSON.parse(await motorpool(`client rotate ${clientId} --json`));
    clients.renewed = renewed;
    expect(renewed.clientId).toBe(clientId);
    expect(renewed.clientSecret).toMatch(/^[\w-]{43}$/);
    expect(renewed.clientSecret).not.toBe(clientSecret);
    const { disabled } = clients;
    if (service) {
      heldToken = (await requestToken(service.url, 'DE-ABC', disabled)).json.access_token;
      expect((await requestToken(service.url, 'FR-XYZ', clients.french)).status).toBe(200);
    }
    expect(await motorpool(`client disable ${disabled.clientId}`)).toBe(
      `Disabled ${disabled.clientId} of DE-ABC.\n`,
    );

    const listed = await motorpool('client list --provider DE-ABC --json');
    expect(JSON.parse(listed)).toMatchObject([
      { provider: 'DE-ABC', id: clients.kept.clientId, disabledAt: null },
      { provider: 'DE-ABC', id: clientId, disabledAt: null },
      { provider: 'DE-ABC', id: disabled.clientId, disabledAt: expect.any(String) },
    ]);
    for (const client of Object.values(clients)) expect(listed).not.toContain(client.clientSecret);
  });

  test('provider rotate-key and disable', async () => {
    const output = await motorpool('provider rotate-key DE ABC');
    expect(output).toMatch(/^DE-ABC signs with key [\w-]+ now\.\n$/);
    const retired = output.split(' ').at(-2);
    const dropped = await motorpool('provider rotate-key DE ABC --now');
    newKey = dropped.split(' ').at(-2);
    expect(newKey).not.toBe(retired);
    expect(await motorpool('provider disable FR XYZ')).toBe('Disabled FR-XYZ.\n');
  });

  test('user add takes the password from standard input', async () => {
    const password = 'correct horse battery';
    expect(await motorpool('user add DE ABC Anna', `${password}\n`)).toBe(
      'Added Anna to DE-ABC.\n',
    );
    const settings = {
      databaseUrl: undefined,
      ownerUrl: undefined,
      secretKeys: undefined,
      dataDir,
      poolSize: 1,
      statementTimeoutMs: 5_000,
    };
    const db = await openConfiguredDatabase(settings, 'command');
    try {
      expect(await authenticateUser(db, 'DE-ABC', 'anna', password, false)).toMatchObject({
        username: 'anna',
      });
      expect(await authenticateUser(db, 'DE-ABC', 'anna', 'another one!', false)).toBeUndefined();
    } finally {
      await db.close();
    }
  });

  test('import and export', async () => {
    const source = join(sandbox.folder, 'source.csv');
    writeFileSync(source, 'id,model\nDE*ABC*V1,Golf\nDE*ABC*V2,Škoda\n');
    expect(await motorpool(`import vehicles DE ABC ${source}`)).toBe(
      '2 lines: 2 new, 0 overwritten, 0 faulty; imported.\n',
    );
    const printed = await motorpool('export vehicles DE ABC');
    expect(printed).toMatch(/^asset\.id,.*\nDE\*ABC\*V1,.*Golf.*\nDE\*ABC\*V2,.*Škoda.*\n$/);
  });

  test('and the service does as they said', async () => {
    const { url } = service ?? (await start());
    const tokenOf = (realm: string, client: Credentials) => requestToken(url, realm, client);
    expect((await tokenOf('DE-ABC', clients.rotated)).status).toBe(401);
    expect((await tokenOf('DE-ABC', clients.renewed)).status).toBe(200);
    expect((await tokenOf('DE-ABC', clients.disabled)).status).toBe(401);
    expect((await tokenOf('FR-XYZ', clients.french)).status).not.toBe(200);
    const kept = await tokenOf('DE-ABC', clients.kept);
    expect(kept.status).toBe(200);
    expect(decodeProtectedHeader(kept.json.access_token).kid).toBe(newKey);
    const read = (token: string) =>
      send(url, {
        path: '/api/fleets/v1/DE/ABC/DE*ABC*V2',
        headers: { authorization: `Bearer ${token}` },
      });
    expect((await read(kept.json.access_token)).json.information).toEqual({ model: 'Škoda' });
    if (heldToken) expect((await read(heldToken)).status).toBe(401);
  });
});
