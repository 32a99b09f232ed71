import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { type EmbeddedDatabase, openEmbedded } from '../platform/db/embedded/embedded-database.ts';
import { createSecretBox } from '../platform/secrets/secret-box.ts';
import { parseSecretKeys } from '../platform/secrets/secret-keys.ts';
import { migratedDataDir } from '../testing/migrated-data-dir.ts';
import { createSandbox, postgresOf, type Running, type Sandbox } from '../testing/sandbox.ts';
import { type Ledger, openLedger } from './ledger.ts';
import { withoutLimits } from './without-limits.ts';

export type EmbeddedService = {
  sandbox: Sandbox;
  dataDir: string;
  db: Database;
  ledger: Ledger;
  start(env?: Record<string, string>): Promise<Running & { url: string }>;
  /** The pid of its PostgreSQL, which has to run. */
  postgres(): number;
  close(): Promise<void>;
};

/** The service with a PostgreSQL of its own, which can be killed, frozen or left without space. */
export async function createEmbeddedService(
  place: (sandbox: Sandbox, migrated: string) => string = (_, migrated) => migrated,
): Promise<EmbeddedService> {
  const sandbox = createSandbox();
  const dataDir = place(sandbox, await migratedDataDir(sandbox));
  const env = { DATA_DIR: dataDir };
  const added = await sandbox.run(['provider', 'add', 'DE', 'ABC', '--name', 'x'], { env });
  if (added.code !== 0) throw new Error(added.stderr);
  let embedded: EmbeddedDatabase | undefined = await openEmbedded(dataDir, 'command');
  const secretsKey = readFileSync(join(dataDir, 'secrets.key'), 'utf8').trim();
  const secrets = createSecretBox(parseSecretKeys(secretsKey));
  const options = { poolSize: 2, statementTimeoutMs: 60_000, secrets };
  const db = openDatabase(embedded.service, options);
  return {
    sandbox,
    dataDir,
    db,
    ledger: await openLedger(db),
    start: (more = {}) => sandbox.start(['serve'], { env: { ...withoutLimits, ...env, ...more } }),
    postgres() {
      const pid = postgresOf(dataDir);
      if (pid === undefined) throw new Error(`No PostgreSQL runs on ${dataDir}.`);
      return pid;
    },
    async close() {
      await db.close();
      await embedded?.close();
      embedded = undefined;
      await sandbox.close();
      // The sandbox stops those of its own folders.
      const pid = postgresOf(dataDir);
      if (pid === undefined) return;
      process.kill(pid, 'SIGQUIT');
      while (postgresOf(dataDir) !== undefined) await sleep(20);
    },
  };
}
