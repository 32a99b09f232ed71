type Write = (fields: object, message: string) => void;

const intervalMs = 60_000;

/**
 * Of failures that come by the thousand while something is down, logs the first of a kind at once and then, each minute, how
 * many there were. When a minute was without one, the next is a first again.
 */
export function outageLog(limitMs = intervalMs) {
  const outages = new Map<string, { count: number; error: unknown }>();
  return (kind: string, error: unknown, write: Write): void => {
    const known = outages.get(kind);
    if (known) {
      known.count += 1;
      known.error = error;
      return;
    }
    write({ err: error }, kind);
    const outage = { count: 0, error };
    outages.set(kind, outage);
    const timer = setInterval(() => {
      if (outage.count === 0) {
        outages.delete(kind);
        clearInterval(timer);
        return;
      }
      write({ count: outage.count, reason: String(outage.error) }, `${kind} (again)`);
      outage.count = 0;
    }, limitMs).unref();
  };
}

export type OutageLog = ReturnType<typeof outageLog>;
