import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { requestedRange } from './byte-range.ts';
import { includesEtag } from './etag.ts';
import { streamForMethod } from './stream-for-method.ts';

export const mapTilesPath = '/console/map.pmtiles';

/** Serves a file of map tiles, of which a browser reads small parts; false where there is no such file. */
export function registerMapTiles(app: FastifyInstance, file: string): boolean {
  if (!existsSync(file)) {
    app.log.warn({ file }, 'The file of MAP_TILES does not exist: the console uses its own map');
    return false;
  }
  app.get(mapTilesPath, async (request, reply) => {
    const { size, mtimeMs } = await stat(file);
    const etag = `"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}"`;
    reply.headers({
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=3600',
      'content-type': 'application/vnd.pmtiles',
    });
    if (includesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const ifRange = request.headers['if-range'];
    // A part of another version would not fit to those that the browser has.
    const isSame = ifRange === undefined || ifRange === etag;
    const hasParts = isSame && request.method === 'GET';
    const range = hasParts ? requestedRange(request.headers.range, size) : undefined;
    const { first, last } = range ?? { first: 0, last: size - 1 };
    if (range) reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`);
    reply.header('content-length', last - first + 1);
    return reply.send(
      streamForMethod(request.method, createReadStream(file, { start: first, end: last })),
    );
  });
  return true;
}
