import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More than any client pipelines; each costs memory. */
export const maxPipelined = 100;

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
  const count = (waiting.get(socket) ?? 0) + 1;
  if (count > maxPipelined) {
    socket.destroy();
    return;
  }
  waiting.set(socket, count);
  response.once('socket', () => {
    waiting.set(socket, (waiting.get(socket) ?? 1) - 1);
    // Not within this turn of the event loop, which would serve one connection until all of its requests are answered.
    setImmediate(start);
  });
}
