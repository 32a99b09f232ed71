import type pg from 'pg';
import { PgBoss } from 'pg-boss';

/** Migrates the tables of the queue to the library's schema version. */
export async function installQueue(client: pg.Client): Promise<void> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => client.query(text, values) },
    supervise: false,
    schedule: false,
  });
  await boss.start();
  await boss.stop({ close: false, graceful: false });
}
