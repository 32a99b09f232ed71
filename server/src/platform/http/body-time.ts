import type { IncomingMessage } from 'node:http';

/**
 * Cuts off bodies that take longer than the limit. Nearly every body comes with its headers and is
 * there when this is looked at, once for all requests of a turn: it needs no timer and no listeners.
 */
export function limitBodyTime(limitMs: number): (request: IncomingMessage) => void {
  let begun: IncomingMessage[] = [];
  const look = () => {
    for (const request of begun) {
      if (!request.complete) cutAfter(request, limitMs);
    }
    begun = [];
  };
  return (request) => {
    if (begun.push(request) === 1) setImmediate(look);
  };
}

function cutAfter(request: IncomingMessage, limitMs: number): void {
  const overdue = setTimeout(() => request.destroy(), limitMs);
  const stop = () => clearTimeout(overdue);
  request.once('close', stop).once('end', stop);
}
