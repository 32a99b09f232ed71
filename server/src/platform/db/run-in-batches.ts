import { isDeadlock, isTimeout, StatementTimeout } from './statement-timeout.ts';

/**
 * Runs batches until one of them says that it was the last: smaller ones once a batch, whose rows may be large, has met the
 * statement timeout, or one that locks many rows a deadlock.
 */
export async function runInBatches(
  size: number,
  runBatch: (size: number) => Promise<boolean>,
  /** Whether fewer rows would take less time, or fewer locks. */
  mayShrink: () => boolean = () => true,
): Promise<void> {
  let atOnce = size;
  for (let isLast = false; !isLast; ) {
    try {
      isLast = await runBatch(atOnce);
    } catch (error) {
      const isTooLarge = isTimeout(error) || error instanceof StatementTimeout || isDeadlock(error);
      if (!isTooLarge || atOnce === 1 || !mayShrink()) throw error;
      atOnce = Math.ceil(atOnce / 10);
    }
  }
}
