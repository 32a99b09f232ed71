import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from 'node:zlib';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { memoizeByIdentity } from '../memoize-by-identity.ts';
import { encodedEtag } from './etag.ts';

type Done = (error: Error | null, result: Buffer) => void;
type Compressor = {
  sync(bytes: Buffer | string): Buffer;
  async(bytes: Buffer | string, done: Done): void;
  stream(): Transform;
};

const gzipOptions = { level: 1 };
const brOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const zstdOptions = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** By preference, where the client has none. The levels: docs/decisions/0049-http.md. */
const compressors: Record<string, Compressor> = {
  zstd: {
    sync: (bytes) => zstdCompressSync(bytes, zstdOptions),
    async: (bytes, done) => zstdCompress(bytes, zstdOptions, done),
    stream: () => createZstdCompress(zstdOptions),
  },
  br: {
    sync: (bytes) => brotliCompressSync(bytes, brOptions),
    async: (bytes, done) => brotliCompress(bytes, brOptions, done),
    stream: () => createBrotliCompress(brOptions),
  },
  gzip: {
    sync: (bytes) => gzipSync(bytes, gzipOptions),
    async: (bytes, done) => gzip(bytes, gzipOptions, done),
    stream: () => createGzip(gzipOptions),
  },
};

const minBytes = 1_024;
/** Less is compressed sooner than another thread would begin. */
const maxSyncBytes = 32_768;
// Neither what is compressed already, nor events, which must not wait for those that follow.
const compressible =
  /^(text\/(?!event-stream)|application\/([\w.-]+\+)?(json|xml)\b|application\/x-ndjson|image\/svg)/;

/** Compresses the answers of a scope; those of sign-in pages are not, as they have secrets beside what was sent. */
export function compressAnswers(scope: FastifyInstance): void {
  scope.addHook('onSend', (request, reply, payload: Payload, done) => {
    const accepted = request.headers['accept-encoding'];
    if (accepted === undefined && reply.getHeader('cache-control') === 'no-store')
      return done(null, payload);
    if (payload == null || request.method === 'HEAD' || !mayCompress(reply, payload))
      return done(null, payload);
    addVary(reply);
    const coding = chooseCoding(String(accepted ?? ''));
    const compressor = coding && compressors[coding];
    if (!compressor) return done(null, payload);
    reply.header('content-encoding', coding).removeHeader('content-length');
    const etag = reply.getHeader('etag');
    if (typeof etag === 'string') reply.header('etag', encodedEtag(etag, coding));
    if (isStream(payload))
      return done(
        null,
        pipeline(payload, compressor.stream(), () => {}),
      );
    if (payload.length <= maxSyncBytes) return done(null, compressor.sync(payload));
    if (typeof payload === 'string') return compressor.async(payload, done);
    compressOnce(payload, coding, compressor).then(
      (bytes) => done(null, bytes),
      (error) => done(error),
    );
  });
}

const resultsOf = memoizeByIdentity((_bytes: Buffer) => new Map<string, Promise<Buffer>>());

/** The same bytes, such as those of a document that anybody can ask for, are compressed once. */
function compressOnce(bytes: Buffer, coding: string, compressor: Compressor): Promise<Buffer> {
  const results = resultsOf(bytes);
  const result =
    results.get(coding) ??
    new Promise<Buffer>((resolve, reject) => {
      compressor.async(bytes, (error, result) => (error ? reject(error) : resolve(result)));
    });
  results.set(coding, result);
  return result;
}

type Payload = string | Buffer | Readable | null | undefined;

function isStream(payload: string | Buffer | Readable): payload is Readable {
  return typeof payload !== 'string' && !Buffer.isBuffer(payload);
}

function mayCompress(reply: FastifyReply, payload: string | Buffer | Readable): boolean {
  return (
    // A stream of a known length is a file, which would be compressed anew for each who reads it.
    (isStream(payload) ? !reply.hasHeader('content-length') : payload.length >= minBytes) &&
    compressible.test(String(reply.getHeader('content-type'))) &&
    !reply.hasHeader('content-encoding') &&
    !reply.hasHeader('content-range')
  );
}

function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`);
}

// A header has room for thousands, and there are few.
const maxCodings = 50;

/** Of the codings that there are, by preference, the one that the client likes best; undefined when it takes none. */
export function chooseCoding(
  accepted: string,
  codings: readonly string[] = Object.keys(compressors),
): string | undefined {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',', maxCodings)) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const q = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1';
    weights.set(name === 'x-gzip' ? 'gzip' : name, Number(q) || 0);
  }
  let best: string | undefined;
  let bestWeight = 0;
  for (const name of codings) {
    const weight = weights.get(name) ?? weights.get('*') ?? 0;
    if (weight > bestWeight) [best, bestWeight] = [name, weight];
  }
  return best;
}
