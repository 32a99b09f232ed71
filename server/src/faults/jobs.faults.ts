import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kinds } from '../compose.ts';
import { lockWaits } from '../testing/lock-waits.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { createSandbox, type Sandbox } from '../testing/sandbox.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { recordFigure, seconds } from './figures.ts';

let sandbox: Sandbox;
let database: TestDatabase;
let service: TestService;
let gate: pg.Client;
beforeAll(async () => {
  sandbox = createSandbox();
  database = await createTestDatabase();
  service = await startTestService({ database });
  await makeFleet(service.db, 'DE', 'ABC', 20);
  gate = new pg.Client(database.owner);
  await gate.connect();
});
afterAll(async () => {
  await gate.end();
  await sandbox.close();
  await service.stop();
  await database.drop();
});

const gateLock = 4_711;
const patience = { timeout: 180_000, interval: 200 };
const nobody = '7c9e6679-7425-40de-944b-e07fc1f90ae8';

/** Has the keys of all payloads; what it names beyond the vehicle does not exist. */
const payload = {
  provider: 'DE-ABC',
  vehicleId: 'DE*ABC*T0000',
  incidentId: nobody,
  invoiceId: nobody,
  erasureId: nobody,
  id: nobody,
  deliveries: [],
};

/** Jobs wait at their end, with all that they have done, until the gate is opened. */
async function closeGate(): Promise<void> {
  await gate.query('select pg_advisory_lock($1)', [gateLock]);
  await gate.query(`
    create function wait_at_gate() returns trigger language plpgsql set lock_timeout = 0 as
    $$ begin perform pg_advisory_xact_lock_shared(${gateLock}); return coalesce(new, old); end $$;
    create trigger wait_at_gate before update on pgboss.job for each row
    when (old.state = 'active' and new.state = 'completed') execute function wait_at_gate();
    create trigger wait_to_be_deleted before delete on pgboss.job for each row
    when (old.state = 'active') execute function wait_at_gate()`);
}

const endBusy = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`;

async function openGate(): Promise<void> {
  // Whose client is gone: PostgreSQL would notice when it answers.
  await expect
    .poll(async () => (await gate.query(endBusy)).rowCount, { timeout: 60_000, interval: 100 })
    .toBe(0);
  await gate.query('drop function wait_at_gate cascade');
  await gate.query('select pg_advisory_unlock($1)', [gateLock]);
}

const names = kinds.map(({ name }) => name).sort();
const deletedWhenDone = new Set(
  kinds.filter((kind) => 'isDeletedWhenDone' in kind).map(({ name }) => name),
);
const unfinished = ['created', 'retry', 'active', 'failed'];
const jobsIn = async (state: string) => {
  const rows = await service.db.query<{ name: string; tries: number }>(
    `select name, max(retry_count)::int + 1 as tries from pgboss.job
     where state::text = $1 and name = any($2) group by name`,
    [state, names],
  );
  return new Map(rows.map(({ name, tries }) => [name, tries]));
};

const startWorker = async () => {
  const env = {
    ...database.env,
    DATA_DIR: sandbox.folder,
    DATABASE_POOL_SIZE: '80',
    STATEMENT_TIMEOUT_MS: '600000',
  };
  const worker = sandbox.spawn(['worker'], { env });
  await expect.poll(worker.stdout, patience).toContain('"working"');
  return worker;
};

test('a worker killed in the middle of every kind of job: another does each of them, and none fails', async () => {
  await closeGate();
  await service.db.transaction(async (tx) => {
    for (const kind of kinds) await service.dependencies.jobs.add(tx, kind as never, payload);
  });
  const killed = await startWorker();
  await expect
    .poll(async () => [...(await jobsIn('active')).keys()].sort(), patience)
    .toEqual(names);
  // At the gate, or behind what another job at the gate has locked.
  await expect.poll(() => lockWaits(service.db), patience).toBeGreaterThanOrEqual(kinds.length);
  expect([...(await jobsIn('completed')).keys()]).toEqual([]);
  killed.kill('SIGKILL');
  await killed.ended;
  await openGate();

  const startedAt = performance.now();
  const other = await startWorker();
  await expect
    .poll(async () => {
      const completed = await jobsIn('completed');
      const left = new Set(
        (await Promise.all(unfinished.map(jobsIn))).flatMap((jobs) => [...jobs.keys()]),
      );
      return names.filter((name) =>
        deletedWhenDone.has(name) ? left.has(name) : (completed.get(name) ?? 0) < 2,
      );
    }, patience)
    .toEqual([]);
  const tookMs = performance.now() - startedAt;
  expect([...(await jobsIn('failed')).keys()]).toEqual([]);
  other.kill();
  expect((await other.ended).code).toBe(0);
  recordFigure(
    'worker killed',
    `in ${kinds.length} kinds of jobs at once; another had done all after ${seconds(tookMs)}`,
  );
});
