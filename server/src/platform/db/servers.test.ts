import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { cuttableProxy } from '../../testing/cuttable-proxy.ts';
import {
  createTestDatabase,
  onServer,
  type TestDatabase,
  urlOf,
} from '../../testing/test-database.ts';
import { openDatabase } from './database.ts';
import { connectionTo, parseServers } from './servers.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test.each([
  ['postgres://u:p@a/d', ['postgres://u:p@a/d'], false],
  [
    'postgresql://u:p%40@a:1,b:2,[::1]:3/d?sslmode=require&target_session_attrs=read-write',
    ['a:1', 'b:2', '[::1]:3'].map((host) => `postgresql://u:p%40@${host}/d?sslmode=require`),
    true,
  ],
  ['postgres:///d?host=/run', ['postgres:///d?host=%2Frun'], false],
  ['postgres://a/d?target_session_attrs=any', ['postgres://a/d'], false],
  ...['sslmode=verify-full', 'ssl=true', 'sslrootcert=system.pem', 'sslnegotiation=direct'].map(
    (tls): [string, string[], boolean] => [
      `postgres://a/d?${tls}`,
      [`postgres://a/d?${tls}`],
      false,
    ],
  ),
])('%s names its servers', (url, urls, needsWrites) => {
  expect(parseServers(url)).toEqual({ urls, needsWrites });
});

test.each([
  'postgres://u:hidden@a:b/d',
  'postgres://u:hidden@a:1,b:x/d',
  'postgres://u:hidden@a/d?target_session_attrs=standby',
  'mysql://u:hidden@a/d',
  'postgres://u:hidden@a/d?sslMode=require',
  'postgres://u:hidden@a/d?sslmod=require',
  'postgres://u:hidden@a/d?sslmode=required',
  'postgres://u:hidden@a/d?tls=true',
  'postgres://u:hidden@a/d?ssl=',
  'postgres://u:hidden@a/d?requiressl=1',
  'postgres://u:hidden@a/d?%20sslmode=require',
  'postgres://u:hidden@a/d?encrypt=true',
])('%s is refused with a sentence that repeats no secret', (url) => {
  expect(() => parseServers(url)).toThrow(/^must [^\n]+\.$/);
  expect(() => parseServers(url)).not.toThrow('hidden');
});

/** Two addresses of the test server, of which each can be cut. */
async function twoServers(attributes: string) {
  const proxies = [
    await cuttableProxy(database.connection),
    await cuttableProxy(database.connection),
  ] as const;
  const { user, password, database: name } = database.connection;
  const hosts = proxies.map(({ connection }) => `127.0.0.1:${connection.port}`).join();
  return {
    proxies,
    url: `postgres://${user}:${encodeURIComponent(String(password))}@${hosts}/${name}${attributes}`,
  };
}

test('a pool goes to the next server when one is gone, and back', async () => {
  const { proxies, url } = await twoServers('');
  const db = openDatabase(await connectionTo(url), { poolSize: 2, statementTimeoutMs: 5_000 });
  onTestFinished(() => db.close());
  const answer = () => db.query('select 1 as one');
  const [first, second] = proxies;
  for (const [gone, left] of [
    [first, second],
    [second, first],
  ] as const) {
    expect(await answer()).toEqual([{ one: 1 }]);
    await gone.cut();
    // What was open is lost at once or with the next statement.
    await expect.poll(() => answer().catch(() => undefined)).toEqual([{ one: 1 }]);
    await gone.restore();
    expect(left.connection.port).not.toBe(gone.connection.port);
  }
  await first.cut();
  await second.cut();
  await expect(connectionTo(url)).rejects.toBeInstanceOf(AggregateError);
});

test('with read-write, a server that only reads will not do', async () => {
  const { url, proxies } = await twoServers('?target_session_attrs=read-write');
  const { superuser } = inject('postgres');
  const set = (value: string) =>
    onServer(
      superuser,
      `alter database ${database.connection.database} set default_transaction_read_only = ${value}`,
    );
  await set('on');
  await expect(connectionTo(url)).rejects.toMatchObject({
    errors: [
      expect.objectContaining({ message: expect.stringContaining('only reads') }),
      expect.objectContaining({ message: expect.stringContaining('only reads') }),
    ],
  });
  // Of one server as well.
  const single = `${urlOf(database.connection)}&target_session_attrs=read-write`;
  await expect(connectionTo(single)).rejects.toThrow('only reads');
  await set('off');
  const db = openDatabase(await connectionTo(url), { poolSize: 1, statementTimeoutMs: 5_000 });
  expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
  await db.close();
  for (const proxy of proxies) await proxy.cut();
});
