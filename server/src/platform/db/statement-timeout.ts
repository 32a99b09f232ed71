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

export function asStatementTimeout(error: unknown, limitMs: number | undefined): unknown {
  if (limitMs === undefined) return error;
  const isTimeout = error instanceof pg.DatabaseError && error.code === queryCanceled;
  return isTimeout ? new StatementTimeout(limitMs, error) : error;
}
