import { afterAll, afterEach } from 'vitest';
import { type Database, openDatabase, type Queryable } from '../platform/db/database.ts';
import { type Job, job } from '../platform/jobs/job.ts';
import { openQueue, type Queue } from '../platform/jobs/queue.ts';
import { createTestDatabase } from './test-database.ts';

type Dependencies = { tag: string };
type Payload = { name: string };
type Given = Dependencies & { tx: Queryable };

const note = (tx: Queryable, name: string, tag: string) =>
  tx.query('insert into effects (name, tag) values ($1, $2)', [name, tag]);

/** A queue on a database of its own, with kinds of jobs whose effects are rows; until the tests of the file end. */
export async function createTestQueue() {
  const opened: Queue[] = [];
  const errors: unknown[] = [];

  const database = await createTestDatabase();
  const db = openDatabase(database.connection, { poolSize: 10, statementTimeoutMs: 10_000 });
  const owner = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  await owner.query('create table effects (name text, tag text)');
  await owner.query('grant all on effects to public');
  await owner.close();

  /** Records an effect. */
  const record = job({
    name: 'record',
    key: ({ name }: Payload) => name,
    run: async ({ name }: Payload, { tx, tag }: Given) => {
      await note(tx, name, tag);
    },
  });

  /** Records an effect, and then waits until the test lets it complete. */
  const block = job({
    name: 'block',
    key: ({ name }: Payload) => name,
    run: async ({ name }: Payload, { tx, tag }: Given) => {
      await note(tx, name, tag);
      await new Promise<void>((resolve) => completions.push(resolve));
    },
  });
  const completions: (() => void)[] = [];

  /** Records an effect, and fails as long as `failure.isOn`. */
  const fail = job({
    name: 'fail',
    key: ({ name }: Payload) => name,
    run: async ({ name }: Payload, { tx, tag }: Given) => {
      await note(tx, name, tag);
      if (failure.isOn) throw new Error('failed on purpose');
    },
  });
  const failure = { isOn: true };

  /** Records an effect outside of a transaction, and fails the first time. */
  const persist = job({
    name: 'persist',
    key: ({ name }: Payload) => name,
    transactional: false,
    run: async ({ name }: Payload, { tag }: Dependencies) => {
      const earlier = await effects();
      await note(db, name, tag);
      if (earlier.length === 0) throw new Error('interrupted');
    },
  });

  /** Waits until the test lets it complete; the first letter of its name is its tenant. */
  const long = job({
    name: 'long',
    key: ({ name }: Payload) => name,
    transactional: false,
    tenant: ({ name }: Payload) => name.slice(0, 1),
    run: async ({ name }: Payload, { tag }: Dependencies) => {
      await note(db, name, tag);
      await new Promise<void>((resolve) => running.set(name, resolve));
    },
  });
  /** The same in a transaction. */
  const step = job({
    name: 'step',
    key: ({ name }: Payload) => name,
    tenant: ({ name }: Payload) => name.slice(0, 1),
    run: async ({ name }: Payload, { tx, tag }: Given) => {
      await note(tx, name, tag);
      await new Promise<void>((resolve) => running.set(name, resolve));
    },
  });
  /** What ends each of these jobs that runs. */
  const running = new Map<string, () => void>();

  const finish = (name = '') => {
    running.get(name)?.();
    running.delete(name);
  };

  /** Each job adds the next, down to 0. */
  const countDown: Job<{ from: number }, Dependencies> = job({
    name: 'count-down',
    key: () => 'count',
    async run({ from }: { from: number }, { tx, tag, jobs }) {
      await note(tx, `${from}`, tag);
      if (from > 0) await jobs.add(tx, countDown, { from: from - 1 });
    },
  });

  /** Records the effects of all that wait, as one text, and fails for those with a bad name. */
  const together = job({
    name: 'together',
    key: ({ name }: Payload) => name,
    batchSize: 3,
    tenant: ({ name }: Payload) => /^\w+(?=:)/.exec(name)?.[0] ?? 'none',
    runBatch: async (payloads: readonly Payload[], { tx, tag }: Given) => {
      const names = payloads.map(({ name }) => name).sort();
      await note(tx, names.join(' '), tag);
      if (names.includes('x:locked'))
        await tx.query(`select 1 from effects where name = 'lock' for update`);
      if (names.some((name) => name.startsWith('bad')))
        // As PostgreSQL tells of rows.
        throw Object.assign(new Error(`no ${names.join(' ')}`), { detail: 'of a customer' });
    },
  });

  /** Records the names of all that were added while it waited; the first letter is key and tenant. */
  const merging = job({
    name: 'merging',
    key: ({ name }: Payload) => name.slice(0, 1),
    tenant: ({ name }: Payload) => name.slice(0, 1),
    merge: (waiting: Payload, added: Payload) => ({
      name: [...waiting.name.split(' '), ...added.name.split(' ')].sort().join(' '),
    }),
    run: async ({ name }: Payload, { tx, tag }: Given) => {
      await tx.query(`select 1 from effects where name = 'lock' for update`);
      await note(tx, name, tag);
    },
  });

  async function open(
    tag: string,
    runsJobs = false,
    options: { on?: Database; pause?: (ms: number) => Promise<void> } = {},
  ): Promise<Queue> {
    const { on = db, ...others } = options;
    const one = await openQueue<Dependencies>(on, {
      kinds: [record, block, fail, persist, long, step, countDown, together, merging],
      dependencies: () => ({ tag }),
      runsJobs,
      onError: (error) => errors.push(error),
      ...others,
    });
    opened.push(one);
    return one;
  }
  const queue = await open('one');

  afterEach(async () => {
    await db.query('delete from effects');
    await db.query('delete from pgboss.job');
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
    await db.close();
    await database.drop();
  });

  const add = (name: string, kind: Job<Payload, Given> = record) =>
    db.transaction((tx) => queue.add(tx, kind, { name }));
  const effects = () => db.query<{ name: string; tag: string }>('select * from effects');
  const states = () =>
    db.query<{ state: string; count: number }>(
      'select state::text, retry_count as count from pgboss.job order by created_on',
    );

  return {
    database,
    db,
    queue,
    errors,
    open,
    note,
    add,
    effects,
    states,
    kinds: { record, block, fail, persist, long, step, countDown, together, merging },
    completions,
    failure,
    running,
    finish,
  };
}
