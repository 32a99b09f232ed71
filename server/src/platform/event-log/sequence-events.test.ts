import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { sequenceEvents } from './sequence-events.ts';

let database: TestDatabase;
let db: Database;
/** As in another process. */
let other: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { poolSize: 6, statementTimeoutMs: 10_000 };
  db = openDatabase(database.connection, options);
  other = openDatabase(database.connection, options);
});
afterAll(async () => {
  await db.close();
  await other.close();
  await database.drop();
});
beforeEach(async () => {
  for (const table of ['event_outbox', 'event_log', 'event_sequences', 'checklist_templates'])
    await db.queryUnprepared(`delete from ${table}`);
  await db.query('delete from event_outbox');
});

const provider = 'DE-ABC';

/** A change of a record. */
const insertTemplate = `
  insert into checklist_templates (provider, name, entries, created_at, updated_at) values ($1, $2, '[]', now(), now())`;

/** Makes a change and keeps the transaction open until the function that it returns is called. */
async function holdOpen(name: string): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const done = db.transaction(async (tx) => {
    await tx.query(insertTemplate, [provider, name]);
    resolve();
    await released;
  });
  await written;
  return async () => {
    release();
    await done;
  };
}

async function log(): Promise<[number: number, name: string][]> {
  const rows = await db.query<{ number: number; name: string }>(
    `select number, after ->> 'name' as name from event_log where provider = $1 order by number`,
    [provider],
  );
  return rows.map(({ number, name }) => [number, name]);
}

test('a transaction that commits late comes behind what was read meanwhile', async () => {
  const commitLate = await holdOpen('late');
  await db.query(insertTemplate, [provider, 'early']);
  await sequenceEvents(db, provider);
  expect(await log()).toEqual([[1, 'early']]);
  await db.query(insertTemplate, [provider, 'next']);
  await commitLate();
  await sequenceEvents(db, provider);
  expect(await log()).toEqual([
    [1, 'early'],
    [2, 'next'],
    [3, 'late'],
  ]);
});

test('the order is that of the commits, also when nobody read in between', async () => {
  const commitFirst = await holdOpen('written first');
  const commitSecond = await holdOpen('written second');
  await db.query(insertTemplate, [provider, 'written last']);
  await commitSecond();
  await commitFirst();
  await sequenceEvents(db, provider);
  expect((await log()).map(([, name]) => name)).toEqual([
    'written last',
    'written second',
    'written first',
  ]);
});

test('what is rolled back leaves no gap', async () => {
  await db.query(insertTemplate, [provider, 'one']);
  await expect(
    db.transaction(async (tx) => {
      await tx.query(insertTemplate, [provider, 'none']);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await db.query(insertTemplate, [provider, 'two']);
  await sequenceEvents(db, provider);
  expect(await log()).toEqual([
    [1, 'one'],
    [2, 'two'],
  ]);
});

test('processes that number at the same time, while others write, give each event one number', async () => {
  const count = 150;
  const names = Array.from({ length: count }, (_, index) => `template ${index}`);
  let isWriting = true;
  const sequencers = [db, other, db, other].map(async (sequencer) => {
    while (isWriting) await sequenceEvents(sequencer, provider);
  });
  const writers = [0, 1, 2].map(async (writer) => {
    for (const name of names.filter((_, index) => index % 3 === writer))
      await (writer === 0 ? other : db).query(insertTemplate, [provider, name]);
  });
  await Promise.all(writers);
  isWriting = false;
  await Promise.all(sequencers);
  await sequenceEvents(db, provider);
  const logged = await log();
  expect(logged.map(([number]) => number)).toEqual(names.map((_, index) => index + 1));
  expect(logged.map(([, name]) => name).sort()).toEqual(names.toSorted());
});

test('a sequencer that dies in its transaction leaves everything to the next one', async () => {
  await db.query(insertTemplate, [provider, 'one']);
  const doomed = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 10_000 });
  // Its connection ends at the commit, as with the process.
  const numbering = doomed.transaction(async (tx) => {
    const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await sequenceEvents({ ...doomed, ...tx, transaction: (work) => work(tx) }, provider);
    await db.query('select pg_terminate_backend($1)', [row?.pid]);
  });
  await expect(numbering).rejects.toThrow();
  await doomed.close();
  expect(await log()).toEqual([]);
  await sequenceEvents(db, provider);
  expect(await log()).toEqual([[1, 'one']]);
});

test('providers are numbered each for itself', async () => {
  await db.query(insertTemplate, [provider, 'own']);
  await db.query(insertTemplate, ['FR-XYZ', 'theirs']);
  await sequenceEvents(db, provider);
  const rows = await db.query('select provider, number from event_log');
  expect(rows).toEqual([{ provider, number: 1 }]);
  expect(await db.query('select provider from event_outbox')).toEqual([{ provider: 'FR-XYZ' }]);
});
