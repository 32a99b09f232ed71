import { tooManyRequests } from '../../platform/http/problem.ts';

export type StreamLimits = {
  /** Of one provider. */
  ofProvider: number;
  /** Of all together, beyond which a provider has no more than `reserved`. */
  ofProcess: number;
  reserved: number;
};

const retrySeconds = 10;

/** Counts the open streams of a process. A provider that has few gets one more, whatever others have. */
export function createStreamRoom({ ofProvider, ofProcess, reserved }: StreamLimits) {
  const counts = new Map<string, number>();
  let total = 0;
  const countOf = (provider: string) => counts.get(provider) ?? 0;
  const change = (provider: string, by: number) => {
    total += by;
    const count = countOf(provider) + by;
    if (count > 0) counts.set(provider, count);
    else counts.delete(provider);
  };
  return {
    /** 429 unless there is room for one more. */
    require(provider: string): void {
      const count = countOf(provider);
      if (count >= ofProvider)
        throw tooManyRequests(
          `An asset provider may have ${ofProvider} streams of events open at a time.`,
          retrySeconds,
        );
      if (total >= ofProcess && count >= reserved)
        throw tooManyRequests('Too many streams of events are open in this process.', retrySeconds);
    },
    enter: (provider: string) => change(provider, 1),
    leave: (provider: string) => change(provider, -1),
  };
}
