import { useSyncExternalStore } from 'react';

const tickMs = 10_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const one of listeners) one();
  }, tickMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time, renewed often enough for ages in minutes; one clock for all of a page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
