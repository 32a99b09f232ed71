import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { sessionLeases } from './session-leases.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, { poolSize: 4, statementTimeoutMs: 10_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => db.query('delete from mqtt_sessions'));
afterEach(() => void vi.useRealTimers());

/** As after so many seconds in which nobody renewed. */
const pass = (seconds: number) =>
  db.query('update mqtt_sessions set held_until = held_until - make_interval(secs => $1)', [
    seconds,
  ]);

const sessionCount = async () => (await db.query('select from mqtt_sessions')).length;

/** A process that has waited for the length of a lease. */
function patientLeases() {
  vi.useFakeTimers({ toFake: ['performance'] });
  const leases = sessionLeases(db);
  vi.advanceTimersByTime(16_000);
  return leases;
}

test('the first process has a session at once, and keeps it', async () => {
  const leases = sessionLeases(db);
  expect(await leases.renew()).toEqual({ held: [0], hasOthers: false });
  expect(await leases.renew()).toEqual({ held: [0], hasOthers: false });
});

test('a process that finds all sessions held waits for a lease to expire, and then adds one', async () => {
  const first = sessionLeases(db);
  await first.renew();
  const hasty = sessionLeases(db);
  expect(await hasty.renew()).toEqual({ held: [], hasOthers: false });
  const patient = patientLeases();
  expect(await patient.renew()).toEqual({ held: [1], hasOthers: true });
  expect(await first.renew()).toEqual({ held: [0], hasOthers: true });
});

test('the session of a process that stopped or was killed is that of the next one', async () => {
  const stopped = sessionLeases(db);
  await stopped.renew();
  await stopped.release();
  const killed = sessionLeases(db);
  expect((await killed.renew()).held).toEqual([0]);
  await pass(16);
  expect((await sessionLeases(db).renew()).held).toEqual([0]);
  expect(await sessionCount()).toBe(1);
  expect((await killed.renew()).held).toEqual([]);
});

test('a session that stays free is taken by a process that has another, and given to one that has none', async () => {
  const first = sessionLeases(db);
  await first.renew();
  const second = patientLeases();
  await second.renew();
  await second.release();
  expect((await first.renew()).held).toEqual([0]);
  await pass(60);
  expect((await first.renew()).held).toEqual([0, 1]);
  const third = sessionLeases(db);
  expect((await third.renew()).held).toEqual([1]);
  expect((await first.renew()).held).toEqual([0]);
  expect(await sessionCount()).toBe(2);
});

test('processes that start at once never hold the same session', async () => {
  const all = Array.from({ length: 8 }, patientLeases);
  const held = (await Promise.all(all.map((leases) => leases.renew()))).flatMap(({ held }) => held);
  expect(held.sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});
