import { Overloaded } from './admission-queue.ts';
import { StatementTimeout } from './statement-timeout.ts';

const systemCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
// Out of connections or disk, shutdown, startup, recovery, statement timeout, deadlock.
const sqlStates = /^(08|53|57P|57014|25006|58030|40P01)/;
const driverMessages =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|query read timeout|not queryable/i;

/** Whether the database cannot be reached or cannot answer now, so that a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  return (
    error instanceof Overloaded ||
    error instanceof StatementTimeout ||
    isConnectionError(error) ||
    isStalePlan(error)
  );
}

/** Whether PostgreSQL could not write for want of space; what it has, it still reads. */
export function isDiskFull(error: unknown): boolean {
  return (error as { code?: string }).code === '53100';
}

/** Whether a prepared statement failed, before it was executed, because a migration has changed its columns. */
export function isStalePlan(error: unknown): boolean {
  const { code, routine } = error as { code?: string; routine?: string };
  return code === '0A000' && routine === 'RevalidateCachedQuery';
}

export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined) return systemCodes.has(code) || sqlStates.test(code);
  return driverMessages.test(error.message);
}
