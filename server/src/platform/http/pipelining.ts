import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More than any client pipelines; each costs memory. */
export const maxPipelined = 100;

/** As so many counts one whose body may be large: it is kept while the request waits. */
export const largeBodyCost = 10;
const smallBodyBytes = 4_096;

const waiting = new WeakMap<Socket, number>();

/**
 * Starts a request when those before it on the connection are answered. Node would start all that it has read at once, so
 * that a single connection could take all of the service (docs/decisions/0028-bounds.md).
 */
export function startInTurn(response: ServerResponse, start: () => void): void {
  // The response has the connection when the ones before it are sent.
  if (response.socket) {
    start();
    return;
  }
  const { socket } = response.req;
  if (socket.destroyed) return;
  const cost = costOf(response.req.headers);
  const count = (waiting.get(socket) ?? 0) + cost;
  if (count > maxPipelined) {
    socket.destroy();
    return;
  }
  waiting.set(socket, count);
  response.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? cost) - cost);
    // Not within this turn of the event loop, which would serve one connection until all of its requests are answered.
    setImmediate(start);
  });
}

function costOf(headers: IncomingHttpHeaders): number {
  const isLarge =
    'transfer-encoding' in headers || Number(headers['content-length']) > smallBodyBytes;
  return isLarge ? largeBodyCost : 1;
}
