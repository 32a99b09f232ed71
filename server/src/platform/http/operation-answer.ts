import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { longWork } from '../pace.ts';
import { createTurns } from '../turns.ts';
import { encodeText } from './encode-text.ts';
import { includesEtag, representationEtag } from './etag.ts';
import { LargeJson } from './large-json.ts';
import { JsonText, type Operation, type OperationResult } from './operation.ts';
import { callerOf } from './operation-access.ts';
import { pacedBytes } from './paced-bytes.ts';
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
    const caller = callerOf(request);
    if (body instanceof Readable) {
      if (stream) {
        streams.add(body);
        body.once('close', () => streams.delete(body));
      }
      const bytes = streamForMethod(request.method, body);
      return reply.send(stream ? bytes : pacedBytes(bytes, caller.provider));
    }
    reply.header('content-type', 'application/json; charset=utf-8');
    if (body instanceof LargeJson && headers?.etag === undefined) {
      const pieces = await body.serialize(caller.provider);
      holdUnsent(caller, pieces, reply.raw);
      return reply.send(streamForMethod(request.method, Readable.from(pieces)));
    }
    const serialized = await serialize(body, caller.provider);
    if (headers?.etag !== undefined) {
      const etag = representationEtag(headers.etag, serialized);
      reply.header('etag', etag);
      if (isRead && includesEtag(request.headers['if-none-match'], etag))
        return reply.code(304).removeHeader('content-type').send();
    }
    holdUnsent(caller, [serialized], reply.raw);
    return reply.send(serialized);
  };
}

const longBytes = 65_536;
// Of the event loop, from the rows to the last byte sent.
const msOfMegabyte = 20;

/** A tenant is sent one answer that is not small in each turn of the event loop, so that others are served between them. */
const inTurn = createTurns();
const smallBytes = 16_384;

async function serialize(body: unknown, tenant: string): Promise<string | Buffer> {
  if (body instanceof LargeJson) return Buffer.concat(await body.serialize(tenant));
  const text = body instanceof JsonText ? body.text : JSON.stringify(body);
  if (text.length > longBytes)
    await longWork.begin(tenant, (text.length / 1_048_576) * msOfMegabyte)();
  else if (text.length > smallBytes) await inTurn(tenant, () => setImmediate());
  return body instanceof JsonText ? encodeText(text) : text;
}
