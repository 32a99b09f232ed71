import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { countPushed } from './count-pushed.ts';
import { onceHandled } from './once-handled.ts';
import { callerOf } from './operation-access.ts';
import { createPendingBodies, type PendingBody } from './pending-bodies.ts';

export const pendingBatches = {
  ofProvider: 64 * 1_048_576,
  ofProcess: 128 * 1_048_576,
  reserved: 5 * 1_048_576,
};

/** Bounds the memory of the batches of a scope, from their first byte until their answer (docs/decisions/0028-bounds.md). */
export function boundPendingBatches(scope: FastifyInstance): void {
  const begin = createPendingBodies({
    ...pendingBatches,
    detail:
      'Too many large batches of this client or asset provider are being received or stored: send fewer at a time.',
  });
  scope.addHook('preParsing', (request, reply, payload, done) => {
    const { raw, headers, routeOptions } = request;
    const body = begin(callerOf(request));
    onceHandled(reply.raw, body.end);
    const length = payload === raw ? headers['content-length'] : undefined;
    if (length === undefined) return done(null, countReceived(payload as Readable, raw, body));
    body.add(Math.min(Number(length), routeOptions.bodyLimit));
    done(null, payload);
  });
}

/** Of unknown size, it is counted as it comes; too much of it fails the body, and the request is answered. */
function countReceived(payload: Readable, raw: Readable, body: PendingBody): Readable {
  const counted = payload === raw ? separate(raw) : payload;
  countPushed(counted, (bytes) => {
    try {
      body.add(bytes);
    } catch (error) {
      body.end();
      counted.destroy(error as Error);
    }
  });
  return counted;
}

/** A stream that can fail: the request itself would close its connection. */
function separate(raw: Readable): Readable {
  const stream = new PassThrough();
  raw.on('error', (error) => stream.destroy(error));
  // One that nobody reads any more must not end the process.
  stream.on('error', () => {});
  return raw.pipe(stream);
}
