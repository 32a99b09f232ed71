import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { type Database, openDatabase } from '../db/database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.owner, { poolSize: 1, statementTimeoutMs: 10_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function textsOf(value: string) {
  const [row] = await db.query<{ normalized: string; folded: string }>(
    'select normalized_text($1) as normalized, folded_text($1) as folded',
    [value],
  );
  return row;
}

const [above, below] = ['\u0301', '\u0316'];

test('marks are put in order, up to 30 in a row', async () => {
  const other = 'ü'.repeat(100);
  for (const count of [1, 15])
    expect(await textsOf(`${other}A${above.repeat(count)}${below.repeat(count)}b`)).toEqual({
      normalized: `${other}a${below.repeat(count)}${above.repeat(count)}b`.normalize('NFC'),
      folded: `${'u'.repeat(100)}ab`,
    });
});

test('a text with more in a row is compared as it was written: to order them would take seconds', async () => {
  const marks = above.repeat(5_000) + below.repeat(5_000);
  expect(await textsOf(`A${marks}Ü`)).toEqual({ normalized: `a${marks}ü`, folded: 'aü' });
});

test('all marks that are put in order count', async () => {
  const long = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((mark) => {
      const text = `\u0345${mark}`;
      return (
        mark === '\u0345' || (mark === mark.normalize('NFD') && text.normalize('NFD') !== text)
      );
    });
  expect(long.length).toBeGreaterThan(900);
  const missing = await db.query(
    'select mark from unnest($1::text[]) mark where not has_long_marks(repeat(mark, 101))',
    [long],
  );
  expect(missing).toEqual([]);
});
