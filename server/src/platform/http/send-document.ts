import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { includesEtag } from './etag.ts';

/** Bytes that are the same for everybody, made once: so that no request encodes, hashes or compresses them again. */
export type KeptDocument = { type: string; bytes: Buffer; etag: string };

export function keptDocument(type: string, content: string | Buffer): KeptDocument {
  const bytes = Buffer.from(content);
  return { type, bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 16)}"` };
}

/** Whoever has it already is told so. */
export function sendDocument(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, etag }: KeptDocument,
  cacheControl = 'no-cache',
): FastifyReply {
  reply.headers({ etag, 'cache-control': cacheControl });
  if (includesEtag(headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type(type).send(bytes);
}
