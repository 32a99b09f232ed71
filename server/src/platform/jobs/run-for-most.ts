import type { Queryable } from '../db/database.ts';
import { isLockTimeout, isTimeout } from '../db/statement-timeout.ts';
import { isUnavailable } from '../db/unavailable.ts';

/**
 * Runs the work for items together, and apart where it fails, so that one does not keep it from the others. Returns
 * those for which it fails, with the errors; throws if it fails for all of several, or meets a timeout: each part could
 * meet it again, while the transaction keeps its locks.
 */
export async function runForMost<Item>(
  tx: Queryable,
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<void>,
): Promise<Map<Item, unknown>> {
  const failing = new Map<Item, unknown>();
  const parts = items.length > 0 ? [items] : [];
  let firstError: unknown;
  for (let part = parts.pop(); part; part = parts.pop()) {
    const error = await rollBackFailure(tx, () => run(part));
    if (error === undefined) continue;
    firstError ??= error;
    const middle = part.length / 2;
    const [first] = part;
    if (part.length === 1 && first !== undefined) failing.set(first, error);
    else parts.push(part.slice(0, middle), part.slice(middle));
  }
  if (items.length > 1 && failing.size === items.length) throw firstError;
  return failing;
}

/** The error of the work, whose writes are then undone; a timeout and one of an unavailable database are thrown. */
export async function rollBackFailure(tx: Queryable, work: () => Promise<void>): Promise<unknown> {
  await tx.queryUnprepared('savepoint part');
  try {
    await work();
  } catch (error) {
    if (isUnavailable(error) && !isTimeout(error)) throw error;
    await tx.queryUnprepared('rollback to savepoint part; release savepoint part');
    if (isTimeout(error) || isLockTimeout(error)) throw error;
    return error;
  }
  await tx.queryUnprepared('release savepoint part');
  return undefined;
}
