import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { runCommand } from '../testing/run-command.ts';
import { createTestDatabase, onServer, type TestDatabase } from '../testing/test-database.ts';
import { openFor } from './with-database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.connection, { poolSize: 1, statementTimeoutMs: 5_000 });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const content = () =>
  db.query(
    `select p::text as row from providers p union all select c::text from clients c
     union all select k.kid from realm_keys k order by 1`,
  );

test.each([
  [['provider', 'add', 'DE', 'ABC', '--name', 'x'], /DE-ABC exists already\.$/],
  [['provider', 'add', 'de', 'ABC', '--name', 'x'], /^The country code must be .*"de"\.$/],
  [['provider', 'add', 'DE', 'ABCD', '--name', 'x'], /^The provider code must be .*"ABCD"\.$/],
  [['provider', 'disable', 'DE', 'ZZZ'], /^There is no asset provider DE-ZZZ: /],
  [['provider', 'rotate-key', 'DE', 'ZZZ'], /^There is no asset provider DE-ZZZ: /],
  [['client', 'add', 'DE', 'ZZZ', '--name', 'x'], /^There is no asset provider DE-ZZZ: /],
  [['client', 'add', 'DE', 'ABC', '--name', ' '], /^The --name must not be empty\.$/],
  [
    ['client', 'add', 'DE', 'ABC', '--name', 'x', '--public'],
    /^A public client needs a redirect URI: /,
  ],
  [['client', 'add', 'DE', 'ABC', '--name', 'x', '--redirect-uri', 'app'], /^"app" is not an addr/],
  [
    ['client', 'add', 'DE', 'ABC', '--name', 'x', '--redirect-uri', 'http://app.example.com/'],
    /^"http:\/\/app\.example\.com\/" is not an address by https, /,
  ],
  [
    ['client', 'add', 'DE', 'ABC', '--name', 'x', '--logout-uri', 'http://app.example.com/'],
    /^"http:\/\/app\.example\.com\/" is not an address by https, /,
  ],
  [['client', 'rotate', 'nobody'], /^There is no client nobody: /],
  [['client', 'list', '--provider', 'DE/ABC'], /^The --provider must be .*, not "DE\/ABC"\.$/],
  [['client', 'list', '--provider', 'DE-ZZZ'], /^There is no asset provider DE-ZZZ: /],
])('%j fails with one sentence and changes nothing', async (args, fault) => {
  const before = await content();
  const { code, stdout, stderr } = await runCommand(args, {
    env: database.env,
  });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  const sentence = /^motorpool: ([^\n]*)\n$/.exec(stderr)?.[1];
  expect(sentence).toMatch(fault);
  expect(await content()).toEqual(before);
});

// On a cluster, “motorpool shard” completes what was interrupted.
test.skipIf(inject('postgres').workers.length > 0)(
  'a database without its keys and triggers, after an interrupted “motorpool shard”, is refused by all but that',
  async () => {
    await onServer(
      database.owner,
      'create table set_aside (drops text not null, creates text[] not null, rank int not null)',
    );
    const refusal =
      'The database lacks its foreign keys and triggers, as “motorpool shard” was interrupted: run it again, which completes it.';
    const run = (command: string) => runCommand([command], { env: database.env });
    expect(await run('migrate')).toEqual({
      code: 1,
      stdout: '',
      stderr: `motorpool: ${refusal}\n`,
    });
    await expect(openFor(loadConfig(database.env), 'service')).rejects.toThrow(refusal);
    expect((await run('shard')).stderr).toContain('The database has no Citus');
    await onServer(database.owner, 'drop table set_aside');
  },
);
