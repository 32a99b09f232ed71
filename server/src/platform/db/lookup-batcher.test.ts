import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { Overloaded } from './admission-queue.ts';
import { type Database, openDatabase } from './database.ts';
import { batchLookups, type Execute, type Lookup } from './lookup-batcher.ts';
import { StatementTimeout } from './statement-timeout.ts';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.owner, { poolSize: 2, statementTimeoutMs: 10_000 });
  await db.queryUnprepared('create table words (id int primary key, word text)');
  await db.queryUnprepared(
    `insert into words select id, 'word ' || id from generate_series(0, 99) as id`,
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const wordOf: Lookup = {
  text: 'select word, pg_current_xact_id()::text as statement from words where id = $1',
  parameters: ['int'],
};
type Word = { word: string; statement: string };

test('each is answered with its own row, or with none, and few statements answer them all', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? -index - 1 : index));
  const found = await Promise.all(ids.map((id) => db.lookup<Word>(wordOf, [id])));
  expect(found.map((row) => row?.word)).toEqual(
    ids.map((id) => (id < 0 ? undefined : `word ${id}`)),
  );
  const statements = new Set(found.flatMap((row) => row?.statement ?? []));
  expect(statements.size).toBeLessThan(10);
});

test('different lookups of one turn do not mix', async () => {
  const lengthOf: Lookup = {
    text: 'select length(word) as length from words where id = $1 and word = any($2)',
    parameters: ['int', 'text[]'],
  };
  const results = [7, 42].flatMap((id) => [
    db.lookup<Word>(wordOf, [id]),
    db.lookup(lengthOf, [id, ['word 7', 'word "\\,{}\'']]),
  ]);
  expect(await Promise.all(results)).toEqual([
    expect.objectContaining({ word: 'word 7' }),
    expect.objectContaining({ length: 6 }),
    expect.objectContaining({ word: 'word 42' }),
    undefined,
  ]);
});

test('a value that the database refuses fails whoever sent it, and nobody else', async () => {
  const ids = [1, 2, 99_999_999_999, 3];
  const [one, two, refused, three] = await Promise.allSettled(
    ids.map((id) => db.lookup<Word>(wordOf, [id])),
  );
  expect([one, two, three]).toEqual(
    [1, 2, 3].map((id) => ({
      status: 'fulfilled',
      value: expect.objectContaining({ word: `word ${id}` }),
    })),
  );
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22003' } });
});

test('whoever asks after a write was acknowledged sees it', async () => {
  const write = async (round: number) => {
    await db.query('update words set word = $1 where id = 5', [`round ${round}`]);
    return db.lookup<Word>(wordOf, [5]);
  };
  for (let round = 0; round < 20; round++) {
    const [written] = await Promise.all([
      write(round),
      db.lookup(wordOf, [5]),
      db.lookup(wordOf, [6]),
    ]);
    expect(written?.word).toBe(`round ${round}`);
  }
});

test('in a transaction it sees what that has written', async () => {
  const seen = await db.transaction(async (tx) => {
    await tx.query(`insert into words values (1000, 'mine')`);
    return [await tx.lookup<Word>(wordOf, [1000]), await db.lookup<Word>(wordOf, [1000])];
  });
  expect(seen.map((row) => row?.word)).toEqual(['mine', undefined]);
});

test('when no database answers, all are told', async () => {
  const closed = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
  await closed.close();
  const results = await Promise.allSettled([1, 2, 3].map((id) => closed.lookup(wordOf, [id])));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

/** What two tenants get whose common statement fails like this, and how many of their own follow. */
async function afterFailure(error: Error) {
  let own = 0;
  const fail: Execute = () => Promise.reject(error);
  const answer: Execute = async <Row>() => {
    own += 1;
    return [{ word: 'own' }] as Row[];
  };
  const batch = batchLookups(fail);
  const tenants = [1, 2].map(() => batch((text, values) => answer(text, values)));
  const results = await Promise.allSettled(tenants.map((lookup) => lookup<Word>(wordOf, [1])));
  return { own, statuses: new Set(results.map(({ status }) => status)) };
}

test.each([
  ['takes too long', new StatementTimeout(5_000, undefined)],
  ['waits too long among those of several tenants', new Overloaded('tenant')],
])('a statement for several tenants that %s is repeated as one of each', async (_how, error) => {
  expect(await afterFailure(error)).toEqual({ own: 2, statuses: new Set(['fulfilled']) });
});

test.each([
  ['loses its connection', new Error('Connection terminated unexpectedly')],
  ['is refused as all are', new Overloaded('all')],
])('one that %s is not', async (_how, error) => {
  expect(await afterFailure(error)).toEqual({ own: 0, statuses: new Set(['rejected']) });
});
