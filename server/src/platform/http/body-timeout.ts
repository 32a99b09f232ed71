import type { IncomingMessage } from 'node:http';

/**
 * Destroys requests whose body takes longer than the limit. Nearly all are complete by the end of their turn of the
 * event loop and need no timer of their own: docs/decisions/0025-hot-path.md.
 */
export function createBodyTimeout(limitMs: number): (request: IncomingMessage) => void {
  let started: IncomingMessage[] = [];
  const startTimers = () => {
    for (const request of started) {
      if (!request.complete) startTimer(request, limitMs);
    }
    started = [];
  };
  return (request) => {
    if (started.push(request) === 1) setImmediate(startTimers);
  };
}

function startTimer(request: IncomingMessage, limitMs: number): void {
  const timer = setTimeout(() => request.destroy(), limitMs);
  const stop = () => clearTimeout(timer);
  request.once('close', stop).once('end', stop);
}
