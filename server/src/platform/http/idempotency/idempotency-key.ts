import { createHash, type Hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Operation } from '../operation.ts';
import type { Principal } from '../principal.ts';
import { Problem } from '../problem.ts';

/** Whether it is a write that can be repeated under one key: all by POST and PATCH are. */
export function takesIdempotencyKey(operation: Operation<never>): boolean {
  const { method, role, workload, changesNothing } = operation;
  const isWrite = role !== 'viewer' && workload !== 'search' && !changesNothing;
  return isWrite && (method === 'POST' || method === 'PATCH');
}

/** A request that has a key. */
export type KeyedRequest = {
  provider: string;
  /** Identifies the key among those of the provider. */
  id: string;
  lock: bigint;
  /** Of all that makes the request another one but its body. */
  fingerprint(): Hash;
};

export const maxKeyLength = 255;

/** Undefined without the header; 400 when it is no key. */
export function keyedRequest(
  operation: Operation<never>,
  provider: string,
  { headers, originalUrl, principal }: FastifyRequest,
): KeyedRequest | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  const key = keyOf(String(sent));
  const { clientId, subject } = principal as Principal;
  const scope = JSON.stringify([provider, clientId, subject, operation.id, key]);
  const digest = createHash('sha256').update(scope).digest();
  const conditions = Object.keys(operation.requestHeaders ?? {}).map(
    (name) => headers[name.toLowerCase()] ?? null,
  );
  return {
    provider,
    id: digest.toString('base64url'),
    lock: digest.readBigInt64BE(),
    fingerprint: () =>
      createHash('sha256')
        .update(JSON.stringify([originalUrl, ...conditions]))
        .update('\n'),
  };
}

// A string of structured fields (RFC 9651), as the draft demands, or the same without its quotes, as many clients send it.
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])+)"$/;
const plain = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/;

function keyOf(sent: string): string {
  const key = quoted.exec(sent)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain.exec(sent)?.[0];
  if (key !== undefined && key.length <= maxKeyLength) return key;
  throw new Problem(400, 'invalid-idempotency-key', 'The Idempotency-Key is not valid', {
    detail: `Idempotency-Key must be a text of 1 to ${maxKeyLength} printable characters of ASCII, such as a UUID, with or without quotes.`,
  });
}
