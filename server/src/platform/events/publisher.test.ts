import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase, type Queryable } from '../db/database.ts';
import { createPublisher, type EventContext, type Subscriptions } from './publisher.ts';

type Events = { stored: { ids: readonly number[] }; counted: { total: number } };
type Given = { label: string };
type Subscriber = Subscriptions<Events, Given & EventContext<Events>>;

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.owner, { poolSize: 2, statementTimeoutMs: 10_000 });
  await db.query('create table notes (note text)');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => db.query('delete from notes'));

const note = (tx: Queryable, text: string) => tx.query('insert into notes values ($1)', [text]);
const notes = async () =>
  (await db.query<{ note: string }>('select note from notes')).map((row) => row.note);

const publish = (subscriptions: readonly Subscriber[], ids: readonly number[]) =>
  db.transaction((tx) =>
    createPublisher(subscriptions, { label: 'test' }).publish(tx, 'stored', { ids }),
  );

test('subscribers run in the order of the list, once for a whole batch, with what they are given', async () => {
  const calls: unknown[] = [];
  const subscriber = (name: string): Subscriber => ({
    stored: async (event, { label }) => void calls.push([name, event.ids, label]),
  });
  await publish([subscriber('first'), {}, subscriber('second')], [1, 2, 3]);
  expect(calls).toEqual([
    ['first', [1, 2, 3], 'test'],
    ['second', [1, 2, 3], 'test'],
  ]);
});

test('what subscribers write is part of the transaction, and an error of one takes all of it back', async () => {
  const writes: Subscriber = { stored: async (_event, { tx }) => void (await note(tx, 'written')) };
  const fails: Subscriber = {
    stored: async () => {
      throw new Error('refused');
    },
  };
  await publish([writes], [1]);
  expect(await notes()).toEqual(['written']);
  await expect(publish([writes, fails], [2])).rejects.toThrow('refused');
  expect(await notes()).toEqual(['written']);
});

test('a subscriber may publish what follows, which runs before the next subscriber', async () => {
  const order: string[] = [];
  const counts: Subscriber = {
    async stored({ ids }, { tx, events }) {
      order.push('counts');
      await events.publish(tx, 'counted', { total: ids.length });
    },
  };
  const follows: Subscriber = {
    stored: async () => void order.push('stored'),
    counted: async ({ total }) => void order.push(`counted ${total}`),
  };
  await publish([counts, follows], [7, 8]);
  expect(order).toEqual(['counts', 'counted 2', 'stored']);
});

test('an event that nobody subscribes to needs no transaction', async () => {
  const unused = undefined as unknown as Queryable;
  await createPublisher<Events, Given>([], { label: '' }).publish(unused, 'counted', { total: 1 });
});
