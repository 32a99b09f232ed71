import type { ServerResponse } from 'node:http';

const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/** Runs once the response is closed; at once if it is, as the client may have hung up while the request was looked at. */
export function onceClosed(response: ServerResponse, run: () => void): void {
  // Of pipelined requests, only the first response has the connection.
  if (response.closed || response.req.socket.destroyed) {
    run();
    return;
  }
  const known = waiting.get(response);
  if (known) {
    known.push(run);
    return;
  }
  // One listener: Node warns of more than ten, and streams that are sent add several.
  const runs = [run];
  waiting.set(response, runs);
  response.once('close', () => {
    for (const one of runs) one();
  });
}
