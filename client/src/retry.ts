/** Answers after which the same request may succeed. */
const transient = new Set([429, 502, 503, 504]);

export const isTransient = (status: number) => transient.has(status);

/** Statuses with which the service refuses a request before it has done anything. */
export const isRefusal = (status: number) => status === 429 || status === 503;

const longestPause = 20_000;
const longestRetryAfter = 60_000;

/** How long to pause before another try, the first of which is 0: what the answer asks for, or ever longer. */
export function pauseBefore(attempt: number, response: Response | undefined): number | undefined {
  const asked = retryAfter(response?.headers.get('retry-after'));
  if (asked !== undefined) return asked > longestRetryAfter ? undefined : asked;
  const bound = Math.min(longestPause, 250 * 2 ** attempt);
  return bound / 2 + (Math.random() * bound) / 2;
}

/** Seconds, or a date. */
function retryAfter(value: string | null | undefined): number | undefined {
  if (!value) return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** Resolves after the time, or rejects with the reason as soon as the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
