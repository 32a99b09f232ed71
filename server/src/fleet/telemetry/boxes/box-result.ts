import { messagesByResult } from '../../../platform/mqtt/mqtt-metrics.ts';
import type { Result } from '../result.ts';

/** Of the messages of a delivery that have the same result and reason. */
export type BoxResult = {
  result: Result['result'];
  reason: string;
  /** Of the first. */
  detail: string | undefined;
  count: number;
};

/** Of a payload whose messages cannot be told apart, which counts as one. */
export function rejectedPayload(reason: string, detail: string): BoxResult {
  return { result: 'rejected', reason, detail, count: 1 };
}

export function tallyResults(results: Iterable<Result>): BoxResult[] {
  const tallies = new Map<string, BoxResult>();
  for (const { result, reason = '', errors } of results) {
    const key = `${result} ${reason}`;
    const tally = tallies.get(key);
    if (tally) tally.count += 1;
    else tallies.set(key, { result, reason, detail: errors?.[0]?.detail, count: 1 });
  }
  return [...tallies.values()];
}

export function countResults(results: readonly BoxResult[]): void {
  for (const { result, reason, count } of results) messagesByResult.inc({ result, reason }, count);
}
