import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { countPushed } from './count-pushed.ts';
import { onceClosed } from './once-closed.ts';
import { bodyTooLarge, invalidBody, Problem } from './problem.ts';

/**
 * Lets the bodies of a scope be sent with Content-Encoding: gzip. They are expanded piece by piece, and the limit of the
 * body holds for what is sent as for what it is expanded to: no more than that is expanded.
 */
export function acceptGzipBodies(scope: FastifyInstance): void {
  scope.addHook('preParsing', ({ headers, routeOptions }, reply, payload, done) => {
    const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (coding === '' || coding === 'identity') return done(null, payload);
    if (coding !== 'gzip' && coding !== 'x-gzip') return done(unsupportedCoding());
    delete headers['content-encoding'];
    done(null, expand(payload as Readable, reply.raw, routeOptions.bodyLimit));
  });
}

/** How much of the body of a request was sent, and what it was expanded to, so far. Undefined for one that is sent as it is. */
export function gzipSizeOf(request: IncomingMessage): GzipSize | undefined {
  return sizes.get(request);
}

type GzipSize = { sent: number; expanded: number };

/** More than is on its way to be expanded. */
const sentAhead = 262_144;

const sizes = new WeakMap<object, GzipSize>();

function expand(sent: Readable, response: ServerResponse, limit: number): Readable {
  const expanded = createGunzip();
  const size = { sent: 0, expanded: 0 };
  sizes.set(response.req, size);
  countPushed(expanded, (bytes) => {
    size.expanded += bytes;
  });
  // Whoever reads the body answers 400. One that nobody reads must not end the process.
  expanded.on('error', () => {});
  // Fastify compares it with Content-Length.
  const counted = Object.assign(expanded, { receivedEncodedLength: 0 });
  sent.on('data', (chunk: Buffer) => {
    size.sent += chunk.length;
    counted.receivedEncodedLength = size.sent;
    // Fastify compares it with the limit when something is expanded, which empty blocks are not.
    if (size.sent > limit) expanded.destroy(bodyTooLarge(limit));
    else if (size.sent > sentAhead + 2 * size.expanded) expanded.destroy(expandsToLess());
  });
  sent.on('error', (error) => expanded.destroy(error));
  // A body that is refused for its size is not expanded further.
  onceClosed(response, () => expanded.destroy());
  return sent.pipe(expanded);
}

/** To read blocks that hold nothing takes far more time than others of their size. */
function expandsToLess(): Problem {
  return invalidBody([{ pointer: '', detail: 'The body in gzip expands to less than was sent.' }]);
}

function unsupportedCoding(): Problem {
  return new Problem(415, 'unsupported-content-encoding', 'Unsupported content encoding', {
    detail: 'Send the body as it is, or with Content-Encoding: gzip.',
    headers: { 'accept-encoding': 'gzip' },
  });
}
