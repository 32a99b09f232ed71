import pg from 'pg';
import type { Queryable } from '../db/database.ts';
import { UserError } from '../user-error.ts';
import { withoutTimeouts } from './database-tables.ts';

const backupLock = 7_008;
const lockTimeoutMs = 10_000;
const lockNotAvailable = '55P03';

/**
 * Whether stored bytes must stay, as a backup may still read them. To be asked after the records that release them are
 * committed: a backup that begins later has these records in its snapshot, and does not read the bytes.
 */
export async function isBackupRunning(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ free: boolean }>(
    'select pg_try_advisory_xact_lock_shared($1) as free',
    [backupLock],
  );
  return row?.free === false;
}

/**
 * Runs `work` while no bytes are deleted. On a connection of its own, as the snapshot must be newer than the lock; in
 * a transaction, so that it also works through a pool of transactions.
 */
export async function withBackupLock<Result>(
  connection: pg.ClientConfig,
  work: (lost: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...connection, application_name: 'motorpool backup' });
  const lost = new AbortController();
  client.on('error', (error) => lost.abort(error));
  await client.connect();
  try {
    await client.query('begin');
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query('select pg_advisory_xact_lock($1)', [backupLock]);
    await client.query(withoutTimeouts);
    return await work(lost.signal);
  } catch (error) {
    if ((error as pg.DatabaseError).code === lockNotAvailable)
      throw new UserError('Another backup of this database is running: wait until it has ended.');
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}
