import type { IncomingMessage } from 'node:http';

/** Closes the connection of a request whose body, if it has one, takes longer than the limit. */
export function limitBodyTime(request: IncomingMessage, limitMs: number): void {
  if (request.complete) return;
  const { socket } = request;
  // An injected request has no real socket.
  const timer = setTimeout(() => socket.destroy?.(), limitMs);
  const stop = () => {
    clearTimeout(timer);
    socket.off('close', stop);
  };
  request.once('end', stop);
  // Rather than the request's, which also comes with the response.
  socket.once('close', stop);
}

/**
 * For an answer that ends the connection while the body is still being sent: to close it would reset it, and the client
 * might never read the answer. Only this side is closed, and nothing more is read.
 */
export function closeUnread(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || !socket.destroySoon) return;
  socket.destroySoon = () => {
    socket.end();
    socket.pause();
  };
}
