import { Overloaded } from '../db/admission-queue.ts';
import type { Queryable } from '../db/database.ts';
import { isLockTimeout } from '../db/statement-timeout.ts';

const lockTimeoutMs = 1_000;
/** After which a job that was kept from its work is tried again. */
export const deferralSeconds = 2;

/** Makes a transaction wait for a lock only shortly: its worker is needed by other tenants. */
export async function limitLockWaits(tx: Queryable): Promise<void> {
  await tx.queryUnprepared(`set local lock_timeout = ${lockTimeoutMs}`);
}

/** Whether a job was kept from its work: it got no connection, or a record was locked. */
export function isDeferred(error: unknown): boolean {
  return error instanceof Overloaded || isLockTimeout(error);
}
