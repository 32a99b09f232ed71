import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from './platform/db/database.ts';
import { openEmbedded } from './platform/db/embedded/embedded-database.ts';
import { migrationsFolder } from './platform/db/migrate.ts';
import { send } from './testing/http-client.ts';
import { runCommand } from './testing/run-command.ts';
import { createSandbox, type Sandbox } from './testing/sandbox.ts';
import { createEmptyDatabase, type TestDatabase, urlOf } from './testing/test-database.ts';
import { requestToken } from './testing/test-service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));
const added = files.filter((name) => name !== '001.do.baseline.sql');
const commit = readFileSync(join(migrationsFolder, 'baseline-commit.txt'), 'utf8').trim();
/** A copy of the source without its history cannot run it. */
const hasPrevious =
  spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: root }).status === 0;

/** Charged here and, 600 km later, there: minute, charging, level, odometer. */
const twoCities = [
  [0, true, 20, 41_000],
  [60, true, 60, 41_000],
  [960, true, 65, 41_600],
  [990, true, 80, 41_600],
  [1_000, false, 80, 41_600],
] as const;

/** The real program of the recorded commit and that of this checkout, on one database. */
describe.runIf(added.length > 0 && hasPrevious)('the previous release', () => {
  let sandbox: Sandbox;
  let database: TestDatabase;
  let worktree: string;
  type Fleet = { credentials: { clientId: string; clientSecret: string }; number: number };
  let shared: Fleet;

  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'pipe' });
  const environment = () => ({ env: database.env });
  const previousProgram = () => join(worktree, 'server/bin/motorpool.js');
  /** It knows one role for all. */
  const previous = () => ({
    env: { DATABASE_URL: urlOf(database.owner) },
    program: previousProgram(),
  });

  beforeAll(async () => {
    sandbox = createSandbox();
    worktree = join(sandbox.folder, 'previous');
    git('worktree', 'add', '--detach', worktree, commit);
    symlinkSync(join(root, 'node_modules'), join(worktree, 'node_modules'));

    database = await createEmptyDatabase();
    shared = await createFleet(previous());
  });
  afterAll(async () => {
    git('worktree', 'remove', '--force', worktree);
    await sandbox.close();
    await database?.drop();
  });

  type RunOptions = Parameters<Sandbox['run']>[1];
  async function createFleet(options: RunOptions): Promise<Fleet> {
    await succeed(['migrate'], options);
    await succeed(['provider', 'add', 'DE', 'ABC', '--name', 'Test'], options);
    const args = ['client', 'add', 'DE', 'ABC', '--name', 'x', '--json'];
    return { credentials: JSON.parse(await succeed(args, options)), number: 0 };
  }

  async function succeed(args: string[], options: RunOptions): Promise<string> {
    const { code, stdout, stderr } = await sandbox.run(args, options);
    expect(code, stderr).toBe(0);
    return stdout;
  }

  /** Sends requests with a token of the fleet. */
  async function signIn(url: string, { credentials }: Fleet) {
    const { status, json } = await requestToken(url, 'DE-ABC', credentials);
    expect(status).toBe(200);
    return async (method: string, path: string, body?: unknown) => {
      const headers = {
        authorization: `Bearer ${json.access_token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const text = body === undefined ? undefined : JSON.stringify(body);
      return send(url, { method, path: `/api/fleets/v1/DE/ABC${path}`, headers, body: text });
    };
  }

  /** What every release supports: a token, writing and finding a vehicle, telemetry. */
  async function exercise(url: string, fleet = shared): Promise<void> {
    const call = await signIn(url, fleet);
    fleet.number += 1;
    const { number } = fleet;
    const id = `DE*ABC*${number}`;
    const vin = `VIN${number}`;
    expect((await call('PUT', `/${id}`, { information: { vin } })).status).toBe(201);
    const message = { timestamp: new Date().toISOString(), odometer: number };
    expect((await call('PUT', `/${id}/status`, message)).json).toMatchObject({
      result: 'accepted',
    });
    const found = await call('POST', '/vehicles', { pagination: { pageNumber: 0, pageSize: 100 } });
    expect(found.json.pagination.totalEntries).toBe(number);
    expect(found.json.items).toContainEqual(
      expect.objectContaining({ status: expect.objectContaining({ odometer: number }) }),
    );
  }

  /** Reads and writes of several kinds, without a pause; returns those that fail for a reason of the service. */
  function keepRequesting(call: Awaited<ReturnType<typeof signIn>>) {
    const id = '/DE*ABC*1';
    const requests: [string, string, object?][] = [
      ['POST', '/vehicles', {}],
      ['POST', '/vehicles', { searchText: 'vin' }],
      ['GET', id],
      ['GET', `${id}/status`],
      ['PUT', id, { information: { vin: 'VIN1' } }],
      ['POST', `${id}/charging`, {}],
      ['GET', `${id}/inspection`],
      ['POST', `${id}/logbook`, { date: '2026-01-01', category: 'fuel', title: 'Fuel' }],
      ['GET', `${id}/logbook`],
      ['POST', '/maintenance', {}],
    ];
    const failures: string[] = [];
    let stopped = false;
    const run = async () => {
      for (let number = 0; !stopped; number += 1) {
        const [method, path, body] = requests[number % requests.length] ?? ['GET', id];
        const { status } = await call(method, path, body);
        if (status >= 500) failures.push(`${method} ${path}: ${status}`);
      }
    };
    const running = Promise.all([run(), run(), run(), run()]);
    return {
      async stop() {
        stopped = true;
        await running;
        return failures;
      },
    };
  }

  test('serves on while the schema is migrated, and beside this one', async () => {
    const before = await sandbox.start(['serve'], previous());
    await exercise(before.url);
    const load = keepRequesting(await signIn(before.url, shared));
    const migrated = await succeed(['migrate'], environment());
    expect(migrated).toContain(`Migrated: ${added.length} step`);
    const failures = await load.stop();
    expect(failures, before.stdout().slice(-5_000)).toEqual([]);
    await exercise(before.url);
    const after = await sandbox.start(['serve'], environment());
    for (const { url } of [after, before, after]) await exercise(url);
    for (const running of [before, after]) running.kill();
    await Promise.all([before.ended, after.ended]);
  });

  test('starts on the migrated schema, unless that was contracted', async () => {
    if (added.every((name) => name.includes('.expand-'))) {
      const again = await sandbox.start(['serve'], previous());
      await exercise(again.url);
    } else {
      const { code, stderr } = await sandbox.run(['serve'], previous());
      expect([code, stderr]).toEqual([1, expect.stringContaining('run the newer Motorpool')]);
    }
  });

  describe('on an embedded database', () => {
    let created: string;
    let env: { DATA_DIR: string };
    let fleet: Fleet;
    const previousOnFolder = () => ({ env, program: previousProgram() });

    beforeAll(async () => {
      created = sandbox.dataDir();
      fleet = await createFleet({ env: { DATA_DIR: created }, program: previousProgram() });
    });

    async function serve(options: RunOptions): Promise<void> {
      const running = await sandbox.start(['serve'], options);
      await exercise(running.url, fleet);
      running.kill();
      await running.ended;
    }

    test('leaves everything to this one, and can start on it again', async () => {
      env = { DATA_DIR: sandbox.copyOf(created) };
      await serve({ env });
      // With more partitions, which belong to the superuser until the next start takes them over.
      await serve({ ...previousOnFolder(), env: { ...env, HISTORY_DAYS: '1200' } });
      const embedded = await openEmbedded(env.DATA_DIR, 'command');
      const owner = openDatabase(embedded.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
      const owners = await owner.query(
        `select distinct relowner::regrole::text as owner from pg_class
         where relkind in ('r', 'p') and relnamespace in ('public'::regnamespace, 'pgboss'::regnamespace)`,
      );
      await owner.close();
      await embedded.close();
      expect(owners).toEqual([{ owner: 'motorpool_owner' }]);
    });

    test('leaves sessions to this one that it detects again', async () => {
      const options = { env: { DATA_DIR: sandbox.copyOf(created) } };
      const before = { ...options, program: previousProgram() };
      const old = await sandbox.start(['serve'], before);
      const call = await signIn(old.url, fleet);
      await call('PUT', '/DE*ABC*1', { information: { evBatteryCapacity: 77 } });
      const begin = Date.now() - 48 * 3_600_000;
      const messages = twoCities.map(([minutes, isCharging, fuelLevel, odometer]) => ({
        vehicleId: 'DE*ABC*1',
        timestamp: new Date(begin + minutes * 60_000).toISOString(),
        ...{ isPluggedIn: isCharging, isCharging, fuelLevel, odometer },
      }));
      await call('POST', '/databox/messages', messages);
      const chargedOf = async (caller: typeof call) =>
        (await caller('POST', '/DE*ABC*1/charging', {})).json.items.map(
          ({ chargedKWh }: { chargedKWh: number }) => chargedKWh,
        );
      expect(await chargedOf(call)).toEqual([46.2]);
      old.kill();
      await old.ended;
      const running = await sandbox.start(['serve'], options);
      const again = await signIn(running.url, fleet);
      await expect.poll(() => chargedOf(again), { timeout: 30_000 }).toEqual([11.55, 30.8]);
      running.kill();
      await running.ended;
    });

    test('can start again on secrets that were sealed, once they are unsealed', async () => {
      const secrets = async (action: string) =>
        (await runCommand(['secrets', action], { env })).stdout;
      expect(await secrets('seal')).toMatch(/^Sealed \d secrets\.\n$/);
      await serve({ env });
      expect(await secrets('unseal')).toMatch(/^Unsealed \d secrets\.\n$/);
      await serve(previousOnFolder());
    });
  });
});
