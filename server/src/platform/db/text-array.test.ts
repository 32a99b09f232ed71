import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { columnParser } from './column-types.ts';
import { type Database, openDatabase } from './database.ts';
import { parseTextArray, textArrayType } from './text-array.ts';

/** Arrays of text are what was stored, and the same as by the parser of the driver. */

const driverParser = pg.types.getTypeParser(textArrayType);

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.owner, { poolSize: 2, statementTimeoutMs: 10_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('columns of this type are parsed by it', () => {
  expect(columnParser(textArrayType)).toBe(parseTextArray);
});

test.each([
  '{}',
  '{a}',
  '{NULL}',
  '{"NULL"}',
  '{""}',
  '{"",NULL,"",a}',
  '{a,b,"c,d","e\\"f\\\\",NULL,"NULL",""}',
  '{"\\\\"}',
  '{"\\\\","\\\\\\""}',
  '{"{a,b}","}","{",x}',
  '{null,Null,NULLS}',
  '{"\\\\n"," a ","\n"}',
  '{{a,b},{"c,d",NULL}}',
  '{{"{"},{"}"}}',
  '[0:1]={a,b}',
  '[2:2][1:2]={{a,b}}',
])('%s is as the driver parses it', (text) => {
  expect(parseTextArray(text)).toEqual(driverParser(text));
});

const special = fc.constantFrom('"', '\\', '{', '}', ',', ' ', '\n', 'NULL', 'a', 'ä', '🚗', '');
const element = fc.oneof(
  fc.array(special, { maxLength: 12 }).map((parts) => parts.join('')),
  fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\0', '')),
);

test('what was stored is read, whatever it is', async () => {
  const arrays = fc.array(fc.option(element, { nil: null }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(arrays, async (stored) => {
      const [row] = await db.query<{ read: unknown; text: string }>(
        'select $1::text[] as read, $1::text[]::text as text',
        [stored],
      );
      expect(row?.read).toEqual(stored);
      expect(parseTextArray(row?.text ?? '')).toEqual(driverParser(row?.text ?? ''));
    }),
    { numRuns: 300 },
  );
});

test('an element that does not end is an error', () => {
  for (const text of ['{"a', '{"a}', '{"a\\"}']) expect(() => parseTextArray(text)).toThrow();
});
