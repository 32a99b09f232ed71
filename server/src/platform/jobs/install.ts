import type pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import { job } from './job.ts';

/** Migrates the tables of the queue to the library's schema version, and adds an index of ours. */
export async function installQueue(client: pg.Client): Promise<void> {
  const boss = bossOf((text, values) => client.query(text, values));
  await boss.start();
  await boss.stop({ close: false, graceful: false });
  await indexKeys(client);
}

/** Of the keys of waiting jobs: those of the library do not find a job that has failed and is to be retried. */
async function indexKeys(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(
    `select indisvalid as valid from pg_index where indexrelid = to_regclass('pgboss.job_by_key')`,
  );
  if (rows[0]?.valid) return;
  // An interrupted build leaves an invalid one.
  await client.query('drop index concurrently if exists pgboss.job_by_key');
  await client.query(
    `create index concurrently job_by_key on pgboss.job_common (name, singleton_key) where state < 'active'`,
  );
}

/** Rebuilds indexes of the queue that are bloated, as their owner: the service's role may not. */
export const maintainQueue = job({
  name: 'maintain-queue',
  key: () => 'all',
  cron: '47 2 * * *',
  // An index is rebuilt concurrently, which PostgreSQL does in no transaction.
  transactional: false,
  async run(_payload: object, { owner }: { owner: Database }) {
    const boss = bossOf(owner.rawQuery);
    await boss.start();
    await boss.supervise();
    await boss.stop({ close: false, graceful: false });
  },
});

function bossOf(executeSql: (text: string, values?: unknown[]) => Promise<pg.QueryResult>): PgBoss {
  return new PgBoss({ db: { executeSql }, supervise: false, schedule: false });
}
