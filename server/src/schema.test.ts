import pg from 'pg';
import { expect, test } from 'vitest';
import { describeSchema } from './testing/describe-schema.ts';
import { createTestDatabase } from './testing/test-database.ts';

test('server/schema.sql is what the migrations make', async () => {
  const database = await createTestDatabase();
  const client = new pg.Client(database.connection);
  await client.connect();
  try {
    const header =
      '-- The schema after all migrations, for reading. Written by npm run generate.\n\n';
    await expect(header + (await describeSchema(client))).toMatchFileSnapshot('../schema.sql');
  } finally {
    await client.end();
    await database.drop();
  }
});
