/** Thrown when a signal ends a command early. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

// Ctrl-C, a stop by the system, a closed terminal.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Ends the process when it has not stopped in this time after the signal, such as because the database does not answer.
 */
export function limitStop(signal: AbortSignal, limitMs: number): void {
  const limit = () =>
    setTimeout(() => {
      process.stderr.write(
        'motorpool: The stop took longer than SHUTDOWN_TIMEOUT_MS and was cut short.\n',
      );
      process.exit(1);
    }, limitMs);
  signal.addEventListener('abort', limit, { once: true });
}

/** From now on, signals of the system abort `signal` instead of ending the process. */
export function listenForInterruption(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const interrupt = () => {
    // A second signal ends the process at once.
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
