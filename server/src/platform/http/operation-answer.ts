import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { encodeText } from './encode-text.ts';
import { includesEtag, representationEtag } from './etag.ts';
import { LargeJson } from './large-json.ts';
import { JsonText, type Operation, type OperationResult } from './operation.ts';
import { callerOf } from './operation-access.ts';
import { streamForMethod } from './stream-for-method.ts';
import type { createUnsentAnswers } from './unsent-answers.ts';

export type AnswerContext = {
  /** Those that are open. */
  streams: Set<Readable>;
  holdUnsent: ReturnType<typeof createUnsentAnswers>;
};

/** Sends what the handler of an operation returned. */
export function answerSender(
  { method, stream }: Operation<never>,
  { streams, holdUnsent }: AnswerContext,
) {
  const isRead = method === 'GET';
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { status, headers, body }: OperationResult<number>,
  ) => {
    reply.code(status).header('cache-control', 'no-store');
    if (headers) reply.headers(headers);
    if (body === undefined) return reply.send();
    if (body instanceof Readable) {
      if (stream) {
        streams.add(body);
        body.once('close', () => streams.delete(body));
      }
      return reply.send(streamForMethod(request.method, body));
    }
    reply.header('content-type', 'application/json; charset=utf-8');
    if (body instanceof LargeJson) {
      const pieces = await body.serialize(callerOf(request).provider);
      holdUnsent(callerOf(request), pieces, reply.raw);
      return reply.send(streamForMethod(request.method, Readable.from(pieces)));
    }
    const serialized = serialize(body);
    if (headers?.etag !== undefined) {
      const etag = representationEtag(headers.etag, serialized);
      reply.header('etag', etag);
      if (isRead && includesEtag(request.headers['if-none-match'], etag))
        return reply.code(304).removeHeader('content-type').send();
    }
    holdUnsent(callerOf(request), [serialized], reply.raw);
    return reply.send(serialized);
  };
}

function serialize(body: unknown): string | Buffer {
  return body instanceof JsonText ? encodeText(body.text) : JSON.stringify(body);
}
