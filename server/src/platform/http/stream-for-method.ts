import { Readable } from 'node:stream';

/** For HEAD, Fastify would read the stream to its end without sending it. */
export function streamForMethod(method: string, bytes: Readable): Readable {
  if (method !== 'HEAD') return bytes;
  bytes.destroy();
  return Readable.from([]);
}
