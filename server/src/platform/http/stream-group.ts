import type { Readable } from 'node:stream';

export type StreamGroup = ReturnType<typeof createStreamGroup>;

/** Open streams that share a bound of what waits for their clients (docs/decisions/0050-events.md). */
export function createStreamGroup(maxWaitingBytes: number) {
  const streams = new Set<Readable>();
  /** What waited when it was last counted, and all that was sent since: no less than what waits. */
  let atMost = 0;
  return {
    count: () => streams.size,
    add: (stream: Readable) => void streams.add(stream),
    remove: (stream: Readable) => void streams.delete(stream),
    /** Counts what was sent to one of them. While too much waits, the one that most waits for is closed. */
    sent(bytes: number): void {
      atMost += bytes;
      if (atMost <= maxWaitingBytes) return;
      const open = [...streams].filter(({ destroyed }) => !destroyed);
      atMost = open.reduce((sum, { readableLength }) => sum + readableLength, 0);
      if (atMost <= maxWaitingBytes) return;
      open.sort((one, other) => other.readableLength - one.readableLength);
      for (const slowest of open) {
        // The client resumes where it has read to, at its own speed.
        slowest.destroy();
        atMost -= slowest.readableLength;
        if (atMost <= maxWaitingBytes) return;
      }
    },
  };
}
