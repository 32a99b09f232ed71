import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Ledger } from './ledger.ts';

/** Twice what docs/decisions/0056-availability.md promises, as clients and faults run on the same machine. */
export const slowestAnswerMs = 10_000;

/** How long it takes from now until each writer has written again. */
export async function recovery({ counts }: Ledger): Promise<number> {
  const startedAt = performance.now();
  await expect
    .poll(() => earliest(counts.acknowledgedAt), { timeout: 120_000, interval: 10 })
    .toBeGreaterThan(startedAt);
  return performance.now() - startedAt;
}

const earliest = (times: Map<unknown, number>) => Math.min(...times.values());

/** Of a test that shares its ledger with those before it. */
export function resetCounts({ counts }: Ledger): void {
  Object.assign(counts, { acknowledged: 0, refused: 0, cutShort: 0, slowestMs: 0 });
}

/** Repeats a request for a while, one after the other; counts its statuses. */
export async function watchAnswers(durationMs: number, request: () => Promise<number>) {
  const statuses = new Map<number, number>();
  let slowestMs = 0;
  const end = performance.now() + durationMs;
  while (performance.now() < end) {
    const startedAt = performance.now();
    const status = await request();
    slowestMs = Math.max(slowestMs, performance.now() - startedAt);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    await sleep(50);
  }
  return { of: (status: number) => statuses.get(status) ?? 0, statuses, slowestMs };
}
