import { rotateKey } from '../auth/keys.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { testSecrets } from './global-setup.ts';
import { send } from './http-client.ts';
import { createSandbox } from './sandbox.ts';
import { signToken } from './sign-token.ts';
import { createTestDatabase } from './test-database.ts';

export type Issuer = {
  url: string;
  /** With the realms and clients of every test database, and its own keys. */
  db: Database;
  /** The number of requests for keys since its start. */
  keyRequests(): Promise<number>;
  /** Signs with a new key from now on, and serves it. */
  rotateKey(realm: string): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const keyRequestCount =
  /^motorpool_http_request_duration_seconds_count\{operation="realm certs".*\} (\d+)$/m;

/** An external authorization server: another process, database and address. */
export async function startIssuer(): Promise<Issuer> {
  const database = await createTestDatabase();
  const db = openDatabase(database.connection, {
    poolSize: 2,
    statementTimeoutMs: 10_000,
    secrets: testSecrets,
  });
  // Test databases are clones, with the same keys.
  await db.query('delete from realm_keys');
  await db.transaction(async (tx) => {
    for (const realm of ['DE-ABC', 'FR-XYZ']) await rotateKey(tx, realm);
  });
  const sandbox = createSandbox();
  const settings = { ...database.env, DATA_DIR: sandbox.dataDir() };
  const run = (port: string) => sandbox.start(['demo'], { env: { ...settings, PORT: port } });
  let running = await run('0');
  const { url } = running;

  return {
    url,
    db,
    async keyRequests() {
      const { text } = await send(url, { path: '/metrics' });
      return Number(keyRequestCount.exec(text)?.[1] ?? 0);
    },
    async rotateKey(realm) {
      await db.transaction((tx) => rotateKey(tx, realm));
      // A token of the new key makes it refresh its realm.
      const token = await signToken(db, realm, { iss: `${url}/realms/${realm}` });
      await send(url, {
        path: `/realms/${realm}/protocol/openid-connect/userinfo`,
        headers: { authorization: `Bearer ${token}` },
      });
    },
    async kill() {
      running.kill('SIGKILL');
      await running.ended;
    },
    async restart() {
      running = await run(new URL(url).port);
    },
    async stop() {
      await sandbox.close();
      await db.close();
      await database.drop();
    },
  };
}
