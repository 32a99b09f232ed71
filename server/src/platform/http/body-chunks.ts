import type { IncomingMessage, Server } from 'node:http';

/** As many are free: clients that write a small body piece by piece send each as a chunk. */
const freeChunks = 1_000;
const leastMeanBytes = 64;

/**
 * Closes the connection of a body whose chunks are tiny. No limit of bytes counts them, and each costs as much time and
 * memory as many bytes do, whether or not anybody reads it.
 */
export function limitChunks(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if ('transfer-encoding' in request.headers) countChunks(request);
  });
}

/** Node calls it after an answer, to drop what nobody has read; its own does so without `push`. */
type Dumped = { _dump(): void };

function countChunks(request: IncomingMessage & Partial<Dumped>): void {
  const push = request.push.bind(request);
  let chunks = 0;
  let bytes = 0;
  request.push = (chunk: Buffer | null) => {
    chunks += 1;
    bytes += chunk?.length ?? 0;
    if (chunks <= freeChunks + bytes / leastMeanBytes) return push(chunk);
    request.socket.destroy();
    return false;
  };
  request._dump = () => {
    request.removeAllListeners('data');
    request.resume();
  };
}
