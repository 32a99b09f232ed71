/** Ended by the person or the system before it was done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

// Ctrl-C, a stop by the system, a terminal that was closed.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** From now on a signal is told through `signal` instead of ending the process on the spot. */
export function listenForInterruption(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const interrupt = () => {
    // Asked twice, the person means it.
    if (controller.signal.aborted) process.exit(130);
    controller.abort(new Interrupted());
  };
  for (const signal of signals) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    release() {
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}
