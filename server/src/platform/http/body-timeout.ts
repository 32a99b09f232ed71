import type { IncomingMessage } from 'node:http';

/** Destroys a request whose body takes longer than the limit. */
export function limitBodyTime(request: IncomingMessage, limitMs: number): void {
  const timer = setTimeout(() => request.destroy(), limitMs);
  const stop = () => clearTimeout(timer);
  request.once('close', stop).once('end', stop);
}
