import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeSchema } from './testing/describe-schema.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.connection);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

test('server/schema.sql is what the migrations make', async () => {
  const header =
    '-- The schema after all migrations, for reading. Written by npm run generate.\n\n';
  await expect(header + (await describeSchema(client))).toMatchFileSnapshot('../schema.sql');
});

/** A deletion of what is referenced would read the table of all providers. */
test('every foreign key but that of the provider alone has an index that begins with its columns', async () => {
  const { rows } = await client.query(`
    select c.conname from pg_constraint c
    where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
      and c.confrelid <> 'providers'::regclass
      and not exists (
        select from pg_index i
        where i.indrelid = c.conrelid and i.indisvalid
          and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
      )
    order by 1`);
  expect(rows).toEqual([]);
});
