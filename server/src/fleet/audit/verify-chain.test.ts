import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { auditKeptFrom, dropAuditPartitions } from '../../platform/db/audit-partitions.ts';
import { type Database, openDatabase } from '../../platform/db/database.ts';
import { createMonthlyPartitions } from '../../platform/db/monthly-partitions.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { eventHash, hashEvents, hashSeal } from './seal.ts';
import { lookBackMs, sealEvents } from './seal-events.ts';
import { type Verification, verifyChain } from './verify-chain.ts';

/** Tampering is done as the superuser, who can do all that the service's role cannot. */

let database: TestDatabase;
let db: Database;
const isSharded = inject('postgres').workers.length > 0;
const open = (poolSize: number, statementTimeoutMs: number) =>
  openDatabase(database.owner, { poolSize, statementTimeoutMs, isSharded });
beforeAll(async () => {
  database = await createTestDatabase();
  db = open(8, 20_000);
  await createMonthlyPartitions(db, 'audit_events', new Date('2026-01-15T00:00:00Z'), new Date());
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(async () => {
  await db.queryUnprepared('truncate audit_events, audit_seals');
});

const longAgo = new Date(0);
const verifyOf = (provider: string, expected?: string, keptFrom = longAgo): Promise<Verification> =>
  db.transaction(
    (tx) => verifyChain(tx, provider, { keptFrom, ...(expected && { expected }) }),
    'read only',
  );
const verify = (expected?: string, keptFrom?: Date) => verifyOf('DE-ABC', expected, keptFrom);

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

const insertEvent = `
  insert into audit_events (provider, action, type, record_id, occurred_at, actor, changes)
  values ($1, 'UPDATE', 'vehicle', $2, coalesce($3, clock_timestamp()), '{"kind": "client"}', $4)`;

async function write(record: string, occurredAt?: Date, provider = 'DE-ABC'): Promise<void> {
  await db.query(insertEvent, [provider, record, occurredAt ?? null, { seats: [4, 5] }]);
}

/** Many events of one moment. */
const insertMany = `
  insert into audit_events (provider, action, type, record_id, actor, changes)
  select 'DE-ABC', 'UPDATE', 'vehicle', number::text, '{"kind": "client"}', '{}' from generate_series(1, $1::int) number`;

/** Three seals of two events each. */
async function makeChain(): Promise<Verification> {
  for (const seal of [1, 2, 3]) {
    for (const event of ['a', 'b']) await write(`${seal}${event}`);
    await sealEvents(db);
  }
  const verified = await verify();
  expect(verified).toMatchObject({ seals: 3, events: 6, unsealed: 0, issues: [] });
  expect(verified.head).toMatch(/^[0-9a-f]{64}$/);
  return verified;
}

test('a chain is whole, and goes on with what is written later', async () => {
  const { head } = await makeChain();
  await sealEvents(db);
  expect((await verify()).head).toBe(head);
  await write('later');
  expect(await verify(head)).toMatchObject({ seals: 3, unsealed: 1, issues: [] });
  await sealEvents(db);
  expect(await verify(head)).toMatchObject({ seals: 4, unsealed: 0, issues: [] });
});

test('each provider has its own', async () => {
  await write('theirs', undefined, 'FR-XYZ');
  await makeChain();
  await db.query(`delete from audit_events where provider = 'FR-XYZ'`);
  expect((await verify()).issues).toEqual([]);
});

// A distributed database looks at all.
test.skipIf(isSharded)(
  'of providers of which all is sealed for long, none is looked at',
  async () => {
    await write('old', minutesAgo(60), 'FR-XYZ');
    await sealEvents(db);
    let looks = 0;
    const counting: Database = {
      ...db,
      transaction(work) {
        looks += 1;
        return db.transaction(work);
      },
    };
    await sealEvents(counting);
    expect(looks).toBe(0);
    // One that was interrupted is made up for.
    await write('late', minutesAgo(59), 'FR-XYZ');
    await sealEvents(counting);
    expect(looks).toBe(1);
    expect(await verifyOf('FR-XYZ')).toMatchObject({
      events: 2,
      unsealed: 0,
    });
  },
);

test.skipIf(isSharded)(
  'of all that a process looks at first, those that fail are looked at again, and no others',
  async () => {
    for (const provider of ['AA-AAA', 'FR-XYZ']) await write('old', minutesAgo(60), provider);
    await sealEvents(db);
    await write('late', minutesAgo(61), 'AA-AAA');
    const fresh = open(1, 10_000);
    onTestFinished(() => fresh.close());
    let fails = true;
    const looked: unknown[] = [];
    const watched: Database = {
      ...fresh,
      transaction: (work) =>
        fresh.transaction((tx) =>
          work({
            ...tx,
            query(text, values, budget) {
              if (text.includes('advisory')) looked.push(values?.[1]);
              if (fails && looked.at(-1) === 'AA-AAA') throw new Error('refused');
              return tx.query(text, values, budget);
            },
          }),
        ),
    };
    await expect(sealEvents(watched)).rejects.toThrow('could not be sealed');
    expect(looked.splice(0)).toEqual(['AA-AAA', 'FR-XYZ']);
    fails = false;
    await sealEvents(watched);
    expect(looked.splice(0)).toEqual(['AA-AAA']);
    await sealEvents(watched);
    expect(looked).toEqual([]);
    const { unsealed } = await verifyOf('AA-AAA');
    expect(unsealed).toBe(0);
  },
);

test('what follows after many events were sealed within minutes is sealed, in the time of a statement', async () => {
  const hurried = open(1, 3_000);
  onTestFinished(() => hurried.close());
  // As the statistics are when it begins: there were few seals, long ago.
  await write('before', minutesAgo(60));
  await sealEvents(db);
  await db.queryUnprepared('analyze audit_seals');
  await db.query(insertMany, [25_000]);
  await sealEvents(db);
  await db.queryUnprepared('analyze audit_events');
  await write('later');
  await sealEvents(hurried);
  expect(await verify()).toMatchObject({ events: 25_002, unsealed: 0, issues: [] });
});

test('more than can be hashed in the time of a statement is sealed, and others do not wait for it', async () => {
  await db.query(
    `insert into audit_events (provider, action, type, actor, changes)
     select 'AA-AAA', 'UPDATE', 'incident', '{"kind": "client"}', jsonb_build_object('notes', repeat('x', 1000000))
     from generate_series(1, 60)`,
  );
  await write('theirs');
  const hurried = open(1, 250);
  try {
    await sealEvents(hurried);
  } finally {
    await hurried.close();
  }
  expect(await verify()).toMatchObject({ events: 1, unsealed: 0, issues: [] });
  const large = await verifyOf('AA-AAA');
  expect(large).toMatchObject({ events: 60, unsealed: 0, issues: [] });
});

test('of many events a part is sealed in one turn, and the next goes on there; others have their turn meanwhile', async () => {
  const turn = () => sealEvents(db, { pageSize: 2, turnMs: 0 });
  const sealed = async () => (await verify()).events;
  for (const minutes of [50, 40, 30, 20, 10]) await write(String(minutes), minutesAgo(minutes));
  await write('theirs', undefined, 'FR-XYZ');
  await turn();
  expect(await sealed()).toBe(2);
  expect(await verifyOf('FR-XYZ')).toMatchObject({ unsealed: 0 });
  await turn();
  expect(await sealed()).toBe(4);
  // Committed behind the position of the pass.
  await write('late', minutesAgo(14));
  await write('later', minutesAgo(12));
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(await verify()).toMatchObject({ events: 7, unsealed: 0, issues: [] });
});

test('what is committed behind a pass that takes long is in the next', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const turn = () => sealEvents(db, { pageSize: 2, turnMs: 0 });
  for (const minutes of [10, 8]) await write(String(minutes), minutesAgo(minutes));
  await turn();
  await write('late', minutesAgo(9));
  vi.setSystemTime(Date.now() + 10 * 60_000);
  await write('end', minutesAgo(1));
  await turn();
  expect(await verify()).toMatchObject({ events: 3, unsealed: 1, issues: [] });
  await sealEvents(db);
  expect(await verify()).toMatchObject({ events: 4, unsealed: 0, issues: [] });
});

test('a pass that another process has overtaken begins again, so that seals are in the order of their times', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const slow = { pageSize: 2, turnMs: 0 };
  for (const minutes of [50, 40, 30]) await write(String(minutes), minutesAgo(minutes));
  await sealEvents(db, slow);
  vi.setSystemTime(Date.now() + 60_000);
  const other = open(1, 20_000);
  await sealEvents(other).finally(() => other.close());
  await write('later', minutesAgo(0));
  for (let turns = 0; turns < 5; turns++) await sealEvents(db, slow);
  expect(await verify()).toMatchObject({ events: 4, unsealed: 0, issues: [] });
  const seals = await db.query<{ sealed_at: string }>(
    "select sealed_at from audit_seals where provider = 'DE-ABC' order by number",
  );
  const times = seals.map(({ sealed_at }) => Date.parse(sealed_at));
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

// A distributed database does not know some of these statements.
describe.skipIf(isSharded)('it shows', () => {
  test.each([
    [
      'an altered value',
      `update audit_events set changes = '{"seats": [4, 9]}' where record_id = '2a'`,
    ],
    [
      'an altered time',
      `update audit_events set occurred_at = occurred_at + interval '1 ms' where record_id = '2a'`,
    ],
    ['another actor', `update audit_events set actor = '{"kind": "user"}' where record_id = '2a'`],
    ['another provider', `update audit_events set provider = 'FR-XYZ' where record_id = '2a'`],
    ['a deleted event', `delete from audit_events where record_id = '2a'`],
    ['all events of a seal deleted', `delete from audit_events where record_id like '2_'`],
    [
      'events that were exchanged',
      `update audit_events set record_id = translate(record_id, 'ab', 'ba') where record_id like '2_'`,
    ],
    ['a deleted seal', 'delete from audit_seals where number = 2'],
    ['the first seal deleted', 'delete from audit_seals where number = 1'],
    [
      'an altered seal',
      `update audit_seals set sealed_at = sealed_at - interval '1 day' where number = 2`,
    ],
    [
      'an event less in a seal',
      'update audit_seals set event_ids = event_ids[1:1] where number = 2',
    ],
    [
      'seals numbered anew',
      'delete from audit_seals where number = 2; update audit_seals set number = 2 where number = 3',
    ],
  ])('%s', async (_what, tampering) => {
    const { head } = await makeChain();
    await db.queryUnprepared(tampering);
    const { issues } = await verify(head);
    expect(issues).not.toEqual([]);
  });

  test('an event that was added behind the seals', async () => {
    await makeChain();
    await write('forged', new Date(Date.now() - lookBackMs - 60_000));
    await sealEvents(db);
    const { issues, unsealed } = await verify();
    expect(issues).toEqual([expect.stringContaining('added behind')]);
    expect(unsealed).toBe(0);
  });

  test.each([
    ['before its seal', 60],
    ['within its seal', 30],
  ])('an event that was added under the id of a sealed one, %s', async (_where, minutes) => {
    await write('first', minutesAgo(40));
    await write('second', minutesAgo(20));
    await sealEvents(db);
    const { head, issues } = await verify();
    expect(issues).toEqual([]);
    await db.query(
      `insert into audit_events (provider, id, occurred_at, action, type, record_id, actor)
       select provider, id, $1, 'DELETE', 'client', 'forged', '{"kind": "user"}'
       from audit_events where record_id = 'second'`,
      [minutesAgo(minutes)],
    );
    await sealEvents(db);
    expect((await verify(head)).issues).toEqual([expect.stringContaining('added')]);
  });

  test('with a kept head, that the end was cut off', async () => {
    const { head } = await makeChain();
    await db.query('delete from audit_seals where number = 3');
    await db.query(`delete from audit_events where record_id like '3_'`);
    expect((await verify()).issues).toEqual([]);
    expect((await verify(head)).issues).toEqual([expect.stringContaining('no seal has')]);
  });

  test('with a kept head, that the whole chain was made anew', async () => {
    const { head } = await makeChain();
    await db.query('delete from audit_seals');
    await db.query(`update audit_events set actor = '{"kind": "user"}'`);
    await sealEvents(db);
    expect((await verify()).issues).toEqual([]);
    expect((await verify(head)).issues).toHaveLength(1);
  });
});

describe('with a kept head, whoever can add seals is told of what they seal behind others:', () => {
  type Forged = { sealedAt: Date; firstEventAt: Date; lastEventAt: Date; events: string[] };
  async function addSeal(forged: Forged): Promise<void> {
    const { seals, head } = await verify();
    const events = await db.query<{ id: string; hash: Buffer }>(
      `select id::text, ${eventHash} as hash from audit_events e where record_id = any($1)`,
      [forged.events],
    );
    const content = {
      provider: 'DE-ABC',
      number: seals + 1,
      sealedAt: forged.sealedAt.toISOString(),
      eventIds: events.map(({ id }) => id),
      firstEventAt: forged.firstEventAt.toISOString(),
      lastEventAt: forged.lastEventAt.toISOString(),
      eventsHash: hashEvents(events.map(({ hash }) => hash)),
      previousHash: Buffer.from(head, 'hex'),
    };
    await db.query(
      `insert into audit_seals (provider, number, sealed_at, event_ids, first_event_at, last_event_at, events_hash, previous_hash, hash)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [...Object.values(content), hashSeal(content)],
    );
  }
  const addedBehind = (seal: number) =>
    `seal ${seal} has events that were added behind those before it`;

  test('events of a seal that continues the chain', async () => {
    const { head } = await makeChain();
    const at = minutesAgo(24 * 60);
    await write('forged', at);
    await addSeal({ sealedAt: new Date(), firstEventAt: at, lastEventAt: at, events: ['forged'] });
    expect(await verify(head)).toMatchObject({ seals: 4, issues: [addedBehind(4)] });
  });

  test('events that go back in steps, each no further than the job looks', async () => {
    const { head } = await makeChain();
    for (const minutes of [14, 28, 42]) {
      await write('forged', minutesAgo(minutes));
      await sealEvents(db);
    }
    expect(await verify(head)).toMatchObject({
      seals: 6,
      issues: [addedBehind(5), addedBehind(6)],
    });
  });

  test('an event behind a seal of a time long ago, which has no events', async () => {
    const { head } = await makeChain();
    const [sealedAt, eventAt] = [minutesAgo(24 * 60), minutesAgo(12 * 60)];
    await addSeal({ sealedAt, firstEventAt: new Date(), lastEventAt: new Date(), events: [] });
    await write('forged', eventAt);
    await sealEvents(db);
    expect(await verify(head)).toMatchObject({
      seals: 5,
      issues: ['seal 4 has no events', addedBehind(5)],
    });
  });
});

test('an event that commits after later ones is sealed with the next', async () => {
  let commit = () => {};
  const held = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const slow = db.transaction(async (tx) => {
    await tx.query(insertEvent, ['DE-ABC', 'slow', null, {}]);
    await held;
  });
  await expect
    .poll(
      async () =>
        (await db.query('select from pg_locks where mode = $1', ['RowExclusiveLock'])).length,
    )
    .toBeGreaterThan(0);
  await write('fast');
  await sealEvents(db);
  expect(await verify()).toMatchObject({ events: 1, unsealed: 0, issues: [] });
  commit();
  await slow;
  await sealEvents(db);
  expect(await verify()).toMatchObject({ seals: 2, events: 2, unsealed: 0, issues: [] });
});

test('an event dated in the future keeps no other from being sealed', async () => {
  await write('future', new Date(Date.now() + 20 * 86_400_000));
  await sealEvents(db);
  await write('now');
  await sealEvents(db);
  expect(await verify()).toMatchObject({ events: 2, unsealed: 0, issues: [] });
});

test('writers and several processes that seal at once lose nothing and seal nothing twice', async () => {
  let isWriting = true;
  const writer = async (name: string) => {
    for (let number = 0; number < 60; number++) await write(`${name}${number}`);
  };
  const sealer = async () => {
    while (isWriting) await sealEvents(db);
  };
  const sealers = [sealer(), sealer()];
  await Promise.all(['a', 'b', 'c', 'd'].map(writer));
  isWriting = false;
  await Promise.all(sealers);
  await sealEvents(db);
  expect(await verify()).toMatchObject({ events: 240, unsealed: 0, issues: [] });
  const [{ ids } = { ids: 0 }] = await db.query<{ ids: number }>(
    'select count(*) as ids from (select unnest(event_ids) from audit_seals) one',
  );
  expect(ids).toBe(240);
});

test('a backlog is sealed in bounded batches, each within a month', async () => {
  await db.query(
    `insert into audit_events (provider, action, type, actor, occurred_at)
     select 'DE-ABC', 'UPDATE', 'vehicle', '{}', timestamptz '2026-02-27' + n * interval '30 seconds'
     from generate_series(1, 12000) n`,
  );
  await sealEvents(db);
  expect(await verify()).toMatchObject({ events: 12_000, unsealed: 0, issues: [] });
  const seals = await db.query<{ events: number; months: number }>(
    `select cardinality(event_ids) as events,
       extract(month from last_event_at) - extract(month from first_event_at) as months from audit_seals`,
  );
  expect(Math.max(...seals.map(({ events }) => events))).toBeLessThanOrEqual(5_000);
  expect(seals.every(({ months }) => Number(months) === 0)).toBe(true);
});

test('months are dropped when their time is over, and the chain stays whole', async () => {
  const now = new Date('2026-06-10T00:00:00Z');
  for (const month of ['01', '02', '03', '04'])
    await write(month, new Date(`2026-${month}-20T00:00:00Z`));
  await sealEvents(db);
  const { head } = await verify();
  await dropAuditPartitions(db, 90, now);
  const kept = auditKeptFrom(90, now);
  expect(kept).toEqual(new Date('2026-03-01T00:00:00Z'));
  expect(await verify(head, kept)).toMatchObject({ seals: 4, events: 2, expired: 2, issues: [] });
  // What is within the time to keep, but gone, is missing.
  expect((await verify(head)).issues).toHaveLength(2);
  await db.query('update audit_seals set events_hash = $1 where number = 1', [Buffer.alloc(32)]);
  expect((await verify(head, kept)).issues).toEqual(['seal 1 was altered']);
  await createMonthlyPartitions(db, 'audit_events', new Date('2026-01-15T00:00:00Z'), new Date());
});
