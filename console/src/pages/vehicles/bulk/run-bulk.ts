import type { ProblemError } from '@motorpool/client';

const workers = 4;
/** Beyond what the SDK has waited by itself. */
const maxPauses = 5;
const usualPauseSeconds = 5;

export type BulkProgress<Item> = {
  done: number;
  failures: { item: Item; error: unknown }[];
  /** Whether the service has asked for a pause. */
  isWaiting: boolean;
};

type Options<Item> = { signal: AbortSignal; onProgress(progress: BulkProgress<Item>): void };

/** Does the same with many, a few at a time; goes on after failures, and pauses when the service asks for it. */
export async function runBulk<Item>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<unknown>,
  { signal, onProgress }: Options<Item>,
): Promise<BulkProgress<Item>> {
  const progress: BulkProgress<Item> = { done: 0, failures: [], isWaiting: false };
  const report = () => onProgress({ ...progress, failures: [...progress.failures] });
  const queue = [...items];
  let pause: Promise<void> | undefined;
  const attempt = async (item: Item) => {
    for (let pauses = 0; ; pauses++) {
      await pause;
      try {
        await work(item, signal);
        progress.done += 1;
        return;
      } catch (error) {
        if (signal.aborted) return;
        const seconds = pauseOf(error);
        if (seconds === undefined || pauses === maxPauses) {
          progress.failures.push({ item, error });
          return;
        }
        pause ??= wait(seconds * 1_000, signal).finally(() => {
          pause = undefined;
          progress.isWaiting = false;
        });
        progress.isWaiting = true;
        report();
      }
    }
  };
  const run = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      if (signal.aborted) return;
      await attempt(item);
      report();
    }
  };
  await Promise.all(Array.from({ length: workers }, run));
  return progress;
}

/** How long the service asks to wait; undefined where waiting does not help. */
function pauseOf(error: unknown): number | undefined {
  const { status, headers } = error as Partial<ProblemError>;
  if (status !== 429) return undefined;
  const asked = Number(headers?.get('retry-after'));
  return asked > 0 ? asked : usualPauseSeconds;
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
