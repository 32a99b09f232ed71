import { tooManyRequests } from '../../../platform/http/problem.ts';

type Task<Result> = () => Promise<Result>;

/** Runs at most so many tasks at once; the others wait in order. */
function createQueue(count: number) {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    isIdle: () => free === count,
    waiting: () => waiting.length,
    async run<Result>(task: Task<Result>): Promise<Result> {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await task();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free++;
      }
    },
  };
}

/** As many as a provider may have in flight: those whose client has hung up wait on, and count no longer as requests. */
export const maxWaiting = 100;

/** Runs at most so many tasks at once, and one of each provider, so that none keeps the others waiting. */
export function createSlots(count: number) {
  const all = createQueue(count);
  const byProvider = new Map<string, ReturnType<typeof createQueue>>();
  return {
    async run<Result>(provider: string, task: Task<Result>): Promise<Result> {
      const own = byProvider.get(provider) ?? createQueue(1);
      if (own.waiting() >= maxWaiting)
        throw tooManyRequests('Too many documents of this asset provider wait to be read.', 10);
      byProvider.set(provider, own);
      try {
        return await own.run(() => all.run(task));
      } finally {
        if (own.isIdle()) byProvider.delete(provider);
      }
    },
  };
}
