import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import type { Database, Queryable } from '../../db/database.ts';
import { runInBatches } from '../../db/run-in-batches.ts';
import { job } from '../../jobs/job.ts';
import { longWork } from '../../pace.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { JsonText, type OperationResult } from '../operation.ts';
import { Problem, type ValidationIssue } from '../problem.ts';
import type { KeyedRequest } from './idempotency-key.ts';

/** An answer as it is kept: a success with its JSON text, or a problem. */
export type KeptAnswer =
  | { status: number; headers?: Record<string, string> | undefined; text?: string | undefined }
  | { problem: KeptProblem };

type KeptProblem = {
  status: number;
  kind: string;
  title: string;
  detail?: string | undefined;
  errors?: ValidationIssue[] | undefined;
  headers: Record<string, string>;
};

const maxAnswerBytes = 1_048_576;
// To decrypt and to decode what is stored.
const msOfMegabyte = 10;
const removedAtOnce = 1_000;

// The answer to a batch of a few kilobytes may have a hundred times as many, which repeat themselves.
const compressedFromBytes = 4_096;
// No JSON begins with it.
const compressedMark = 'zstd ';
const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Until the end of the transaction; 409 while a request with the key is being processed, in whichever process. */
export async function lockKey(tx: Queryable, { lock }: KeyedRequest): Promise<void> {
  const [row] = await tx.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock($1) as locked',
    [String(lock)],
  );
  if (!row?.locked) throw inProgress();
}

export function inProgress(): Problem {
  return new Problem(409, 'request-in-progress', 'The same request is being processed', {
    detail:
      'A request with this Idempotency-Key has not been answered yet: send it again in a moment.',
    headers: { 'retry-after': '1' },
  });
}

/** Whether there is an answer under the key, to whatever request. */
export async function isKeyUsed(db: Queryable, { provider, id }: KeyedRequest): Promise<boolean> {
  const found = await db.query(
    'select from idempotency_keys where provider = $1 and id = $2 and expires_at > now()',
    [provider, id],
  );
  return found.length > 0;
}

/** An answer as it is stored, which is opened only when it is given again. */
type SealedAnswer = { provider: string; id: string; sealed: string };

/** Undefined without an answer under the key; 422 when it is that to another request, whose answer is not read. */
export async function findAnswer(
  db: Queryable,
  { provider, id }: KeyedRequest,
  fingerprint: Buffer,
): Promise<SealedAnswer | undefined> {
  const [row] = await db.query<{ sealed: string | null }>(
    `select case when fingerprint = $3 then sealed_answer end as sealed from idempotency_keys
     where provider = $1 and id = $2 and expires_at > now()`,
    [provider, id, fingerprint],
  );
  if (!row) return undefined;
  if (row.sealed === null)
    throw new Problem(422, 'idempotency-key-reused', 'The Idempotency-Key was used already', {
      detail:
        'Another request, with another path or body, was sent under this Idempotency-Key: each needs a key of its own.',
    });
  return { provider, id, sealed: row.sealed };
}

/** In the transaction of the write, after `lockKey`. Answers may have secrets and personal data: all are sealed. */
export async function keepAnswer(
  tx: Queryable,
  { provider, id }: KeyedRequest,
  fingerprint: Buffer,
  answer: KeptAnswer,
): Promise<void> {
  const text = toText(answer);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxAnswerBytes) throw tooLargeToKeep();
  const packed = bytes < compressedFromBytes ? text : await pack(text);
  await tx.query(
    `insert into idempotency_keys (provider, id, fingerprint, sealed_answer, expires_at)
     values ($1, $2, $3, $4, now() + interval '24 hours')
     on conflict (provider, id) do update set fingerprint = excluded.fingerprint,
       sealed_answer = excluded.sealed_answer, expires_at = excluded.expires_at`,
    [provider, id, fingerprint, tx.secrets.seal(secretName(provider, id), packed)],
  );
}

/** The JSON of an answer behind a line of all else, so that neither keeping it nor giving it again parses it. */
function toText(answer: KeptAnswer): string {
  if ('problem' in answer || answer.text === undefined) return JSON.stringify(answer);
  const { text, ...head } = answer;
  return `${JSON.stringify(head)}\n${text}`;
}

function toAnswer(kept: string): KeptAnswer {
  const end = kept.indexOf('\n');
  if (end < 0) return JSON.parse(kept);
  return { ...JSON.parse(kept.slice(0, end)), text: kept.slice(end + 1) };
}

async function pack(text: string): Promise<string> {
  return compressedMark + (await compress(text)).toString('base64');
}

async function unpack(packed: string): Promise<string> {
  if (!packed.startsWith(compressedMark)) return packed;
  const bytes = Buffer.from(packed.slice(compressedMark.length), 'base64');
  return (await decompress(bytes, { maxOutputLength: maxAnswerBytes })).toString();
}

function tooLargeToKeep(): Problem {
  return new Problem(422, 'answer-too-large-to-keep', 'The answer is too large to be kept', {
    detail: `Answers under an Idempotency-Key have at most ${maxAnswerBytes} bytes: send less at a time, or no key. Nothing was written.`,
  });
}

/** As in `auth/sealed-secrets.ts`, which seals them under a new key. */
function secretName(provider: string, id: string): string {
  return `idempotency_keys/${provider}/${id}`;
}

/** The answer once more, at the pace of its tenant. */
export async function replay(
  secrets: SecretBox,
  { provider, id, sealed }: SealedAnswer,
): Promise<OperationResult<number>> {
  await longWork.begin(provider, (sealed.length / 1_048_576) * msOfMegabyte)();
  const answer = toAnswer(await unpack(secrets.open(secretName(provider, id), sealed)));
  const replayed = { 'idempotency-replayed': 'true' };
  if (!('problem' in answer)) {
    return toResult({ ...answer, headers: { ...answer.headers, ...replayed } });
  }
  const { status, kind, title, detail, errors, headers } = answer.problem;
  throw new Problem(status, kind, title, {
    ...(detail !== undefined && { detail }),
    ...(errors && { errors }),
    headers: { ...headers, ...replayed },
  });
}

export function toResult({
  status,
  headers,
  text,
}: Exclude<KeptAnswer, { problem: KeptProblem }>): OperationResult<number> {
  return {
    status,
    ...(headers && { headers }),
    ...(text !== undefined && { body: new JsonText(text) }),
  };
}

/** What has expired is never read; removing it only saves space. */
export const removeExpiredAnswers = job({
  name: 'remove-expired-idempotency-keys',
  key: () => 'all',
  cron: '*/10 * * * *',
  // Each batch is a transaction of its own: the large answers of one provider keep those of no other.
  transactional: false,
  async run(_payload: object, { db }: { db: Database }) {
    await runInBatches(removedAtOnce, async (size) => {
      const removed = await db.query(
        `delete from idempotency_keys where (provider, id) in (
           select provider, id from idempotency_keys where expires_at <= now() limit $1
         ) returning 1`,
        [size],
      );
      return removed.length < size;
    });
  },
});
