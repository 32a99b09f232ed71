import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { countPushed } from './count-pushed.ts';
import { onceClosed } from './once-closed.ts';
import { Problem } from './problem.ts';

/**
 * Lets the bodies of a scope be sent with Content-Encoding: gzip. They are expanded piece by piece, and the limit of the
 * body counts what is expanded: of one that expands to more, no more than the limit is.
 */
export function acceptGzipBodies(scope: FastifyInstance): void {
  scope.addHook('preParsing', ({ headers }, reply, payload, done) => {
    const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (coding === '' || coding === 'identity') return done(null, payload);
    if (coding !== 'gzip' && coding !== 'x-gzip') return done(unsupportedCoding());
    delete headers['content-encoding'];
    done(null, expand(payload as Readable, reply.raw));
  });
}

/** What the body of a request has been expanded to so far; undefined for one that is sent as it is. */
export function expandedBytesOf(request: IncomingMessage): number | undefined {
  return expandedBytes.get(request);
}

const expandedBytes = new WeakMap<object, number>();

function expand(sent: Readable, response: ServerResponse): Readable {
  const expanded = createGunzip();
  const request = response.req;
  expandedBytes.set(request, 0);
  countPushed(expanded, (bytes) => {
    expandedBytes.set(request, (expandedBytes.get(request) ?? 0) + bytes);
  });
  // Whoever reads the body answers 400. One that nobody reads must not end the process.
  expanded.on('error', () => {});
  // Fastify compares it with Content-Length.
  const counted = Object.assign(expanded, { receivedEncodedLength: 0 });
  sent.on('data', (chunk: Buffer) => {
    counted.receivedEncodedLength += chunk.length;
  });
  sent.on('error', (error) => expanded.destroy(error));
  // A body that is refused for its size is not expanded further.
  onceClosed(response, () => expanded.destroy());
  return sent.pipe(expanded);
}

function unsupportedCoding(): Problem {
  return new Problem(415, 'unsupported-content-encoding', 'Unsupported content encoding', {
    detail: 'Send the body as it is, or with Content-Encoding: gzip.',
    headers: { 'accept-encoding': 'gzip' },
  });
}
