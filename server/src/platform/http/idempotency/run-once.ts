import type { Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from '../../db/database.ts';
import { nestedDatabase } from '../../db/nested-database.ts';
import { LargeJson } from '../large-json.ts';
import { JsonText, type KeepAnswer, type OperationResult } from '../operation.ts';
import { Problem } from '../problem.ts';
import type { KeyedRequest } from './idempotency-key.ts';
import {
  findAnswer,
  inProgress,
  isKeyUsed,
  type KeptAnswer,
  keepAnswer,
  lockKey,
  replay,
  toResult,
} from './kept-answers.ts';

type Result = OperationResult<number>;

/** Runs a handler and keeps its answer, in one transaction; or gives the answer that is kept. */
export async function runOnce(
  db: Database,
  request: KeyedRequest,
  body: unknown,
  handle: (db: Database) => Promise<Result>,
): Promise<Result> {
  const fingerprint = request.fingerprint().update(bytesOf(body)).digest();
  const answer = await db.transaction(async (tx) => {
    await lockKey(tx, request);
    const found = await findAnswer(tx, request, fingerprint);
    // After the transaction, whose connection others need meanwhile.
    if (found) return () => replay(db.secrets, found);
    const made = await nestedDatabase(tx, db)
      .transaction((own) => handle(nestedDatabase(own, db)).then(toKept))
      .catch((error: unknown) => ({ problem: finalProblem(error) }));
    await keepAnswer(
      tx,
      request,
      fingerprint,
      'problem' in made ? keptProblem(made.problem) : made,
    );
    return () => {
      if ('problem' in made) throw made.problem;
      return toResult(made);
    };
  });
  return answer();
}

/** As `runOnce`; but bytes are stored outside of the transaction, so that the handler tells when to keep the answer. */
export async function uploadOnce(
  db: Database,
  request: KeyedRequest,
  bytes: AsyncIterable<Buffer>,
  handle: (bytes: AsyncIterable<Buffer>, keep: KeepAnswer) => Promise<Result>,
): Promise<Result> {
  const hash = request.fingerprint();
  if (await isKeyUsed(db, request)) {
    for await (const _chunk of hashed(bytes, hash));
    const found = await findAnswer(db, request, hash.digest());
    // It has expired since.
    if (!found) throw inProgress();
    return replay(db.secrets, found);
  }
  let isKept = false;
  const result = await handle(hashed(bytes, hash), async (tx, made) => {
    await lockKey(tx, request);
    if (await isKeyUsed(tx, request)) throw inProgress();
    await keepAnswer(tx, request, hash.digest(), await toKept(made));
    isKept = true;
  });
  if (!isKept) throw new Error('the answer of an upload was not kept');
  return result;
}

async function* hashed(bytes: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}

/** A batch is bytes; any other body is compared as parsed, so that white space makes no difference. */
function bytesOf(body: unknown): Buffer | string {
  return Buffer.isBuffer(body) ? body : (JSON.stringify(body) ?? '');
}

async function toKept({
  status,
  headers,
  body,
}: Result): Promise<Exclude<KeptAnswer, { problem: object }>> {
  if (body === undefined) return { status, headers };
  if (body instanceof Readable) throw new Error('a stream cannot be kept');
  if (body instanceof JsonText) return { status, headers, text: body.text };
  if (!(body instanceof LargeJson)) return { status, headers, text: JSON.stringify(body) };
  const pieces = await body.serialize();
  return { status, headers, text: Buffer.concat(pieces).toString() };
}

function keptProblem({ status, kind, title, detail, errors, headers }: Problem): KeptAnswer {
  return { problem: { status, kind, title, detail, errors, headers } };
}

/** Statuses of what may succeed when it is sent again, as with another token. */
const passing = [401, 403, 408, 429];

/** A refusal is kept; whatever may succeed when it is sent again is thrown. */
function finalProblem(error: unknown): Problem {
  if (error instanceof Problem && error.status < 500 && !passing.includes(error.status))
    return error;
  throw error;
}
