import pg from 'pg';

/** A statement took longer than those of its workload may. */
export class StatementTimeout extends Error {
  readonly limitMs: number;

  constructor(limitMs: number, cause: unknown) {
    super(`The statement took longer than ${limitMs} ms`, { cause });
    this.limitMs = limitMs;
  }
}

const queryCanceled = '57014';
const lockNotAvailable = '55P03';
const deadlockDetected = '40P01';

export function asStatementTimeout(error: unknown, limitMs: number | undefined): unknown {
  if (limitMs === undefined) return error;
  return isTimeout(error) ? new StatementTimeout(limitMs, error) : error;
}

/** Whether the server has ended a statement, as it took too long. */
export function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === queryCanceled;
}

/** Whether a statement has waited too long for a lock, or would have had to wait. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === lockNotAvailable;
}

/** Whether the server has ended a statement, as it and another one waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === deadlockDetected;
}
