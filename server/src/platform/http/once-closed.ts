import type { ServerResponse } from 'node:http';

/** Runs once the response is closed; at once if it is, as the client may have hung up while the request was looked at. */
export function onceClosed(response: ServerResponse, run: () => void): void {
  // Of pipelined requests, only the first response has the connection.
  if (response.closed || response.req.socket.destroyed) run();
  else response.once('close', run);
}
