import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { maxPipelined } from './pipelining.ts';

/** As many are free: clients that write a small body piece by piece send each as a chunk. */
const freeChunks = 1_000;
/** Of each request that waits for others of its connection: all of them are kept at a time. */
const freeChunksWaiting = freeChunks / maxPipelined;
const leastMeanBytes = 64;

/**
 * Closes the connection of a body that comes in tiny pieces, be they chunks or segments. No limit of bytes counts them, and
 * each costs as much time and memory as many bytes do, whether or not anybody reads it.
 */
export function limitChunks(server: Server): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers } = request;
    const free = response.socket ? freeChunks : freeChunksWaiting;
    if ('transfer-encoding' in headers || Number(headers['content-length']) > free)
      countChunks(request, free);
  });
}

/** Node calls it after an answer, to drop what nobody has read; its own does so without `push`. */
type Dumped = { _dump(): void };

function countChunks(request: IncomingMessage & Partial<Dumped>, free: number): void {
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  request.push = (chunk: Buffer | null) => {
    chunks += 1;
    bytes += chunk?.length ?? 0;
    if (chunks <= free + bytes / leastMeanBytes) return push(chunk);
    request.socket.destroy();
    return false;
  };
  request._dump = () => {
    request.removeAllListeners('data');
    request.resume();
  };
}
