/** Collects the durations of answers, in milliseconds. */
export function recordLatencies() {
  const durations: number[] = [];
  let last = performance.now();
  const startedAt = last;
  return {
    add(durationMs: number): void {
      durations.push(durationMs);
      last = performance.now();
    },
    summary(): { perSecond: number; p50: number; p99: number } {
      const sorted = Float64Array.from(durations).sort();
      const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? Number.NaN;
      // Up to the last answer, without the disconnects after it.
      const seconds = (last - startedAt) / 1_000;
      return {
        perSecond: sorted.length > 0 ? sorted.length / seconds : 0,
        p50: at(0.5),
        p99: at(0.99),
      };
    },
  };
}
