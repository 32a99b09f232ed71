/** Thrown when a signal ends a command early. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

// Ctrl-C, a stop by the system, a closed terminal.
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const parentPollMs = 500;
const sameSignalMs = 1_000;

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

/**
 * From now on, signals of the system abort `signal` instead of ending the process. So does the end of npm, as its shell
 * hands none on (docs/decisions/0052-the-package.md).
 */
export function listenForInterruption(signals: readonly NodeJS.Signals[] = stopSignals): {
  signal: AbortSignal;
  release(): void;
} {
  const controller = new AbortController();
  let interruptedAt = 0;
  const interrupt = () => {
    if (!controller.signal.aborted) {
      interruptedAt = performance.now();
      controller.abort(new Interrupted());
      // A second signal ends the process at once; a terminal and npm may both send the first.
    } else if (performance.now() - interruptedAt > sameSignalMs) process.exit(130);
  };
  for (const signal of signals) process.on(signal, interrupt);
  const stopWatching = process.env.npm_command === undefined ? () => {} : watchParent(interrupt);
  controller.signal.addEventListener('abort', stopWatching);
  return {
    signal: controller.signal,
    release() {
      stopWatching();
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}

function watchParent(onEnd: () => void): () => void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid !== parent) onEnd();
  }, parentPollMs).unref();
  return () => clearInterval(timer);
}
