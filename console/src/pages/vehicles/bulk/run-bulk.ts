import type { ProblemError } from '@motorpool/client';

const workers = 4;
/** Beyond what the SDK has waited by itself. */
const maxPauses = 5;
const usualPauseSeconds = 5;

export type BulkProgress<Item> = {
  done: number;
  failures: { item: Item; error: unknown }[];
  /** What is neither done nor failed. */
  left: Item[];
  /** Whether the service has asked for a pause. */
  isWaiting: boolean;
};

export const nothingDone = <Item>(items: readonly Item[]): BulkProgress<Item> => ({
  done: 0,
  failures: [],
  left: [...items],
  isWaiting: false,
});

type Options<Item> = { signal: AbortSignal; onProgress(progress: BulkProgress<Item>): void };

/**
 * Does the same with many, a few at a time; goes on after failures, and pauses when the service asks for it.
 * After a stop nothing is begun; what has begun is finished, as nobody would know whether it was done.
 */
export async function runBulk<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  { signal, onProgress }: Options<Item>,
): Promise<BulkProgress<Item>> {
  const progress = nothingDone(items);
  const report = () => onProgress({ ...progress, failures: [...progress.failures] });
  const settle = (item: Item) => {
    progress.left = progress.left.filter((one) => one !== item);
  };
  const queue = [...items];
  let pause: Promise<void> | undefined;
  const attempt = async (item: Item) => {
    for (let pauses = 0; ; pauses++) {
      await pause;
      if (signal.aborted) return;
      try {
        await work(item);
        progress.done += 1;
        settle(item);
        return;
      } catch (error) {
        const seconds = pauseOf(error);
        if (seconds === undefined || pauses === maxPauses) {
          progress.failures.push({ item, error });
          settle(item);
          return;
        }
        if (signal.aborted) return;
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
      await attempt(item);
      report();
    }
  };
  await Promise.all(Array.from({ length: workers }, run));
  return progress;
}

/** In the order in which it is shown: what failed, and what was not begun. */
export const notDone = <Item>({ failures, left }: BulkProgress<Item>): Item[] => [
  ...failures.map(({ item }) => item),
  ...left,
];

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
