import type { Queryable } from '../../platform/db/database.ts';
import { runInBatches } from '../../platform/db/run-in-batches.ts';
import type { SignInKey } from './sign-in-key.ts';

/** What is guessed at: a password or a code of one account, from one known device or from all others. */
export type GuessTarget = {
  provider: string;
  kind: 'password' | 'code';
  username: string;
  deviceId: string | undefined;
};

const freeFailures = 5;
const firstDelaySeconds = 30;
const maxDelaySeconds = 900;
const forgottenAfterSeconds = 24 * 3_600;
const removedAtOnce = 1_000;

const failures = `(case when f.failed_at < to_timestamp($3 - ${forgottenAfterSeconds}) then 1 else f.failures + 1 end)`;

/**
 * Counts an attempt as failed before its outcome is known, so that concurrent ones cannot exceed the limit in any process.
 * Returns the seconds to wait, and counts nothing, during a delay.
 */
export async function beginAttempt(
  db: Queryable,
  key: SignInKey,
  target: GuessTarget,
): Promise<number> {
  const values = [target.provider, hashOf(key, target)];
  // Asked for beforehand: a distributed database has no functions of its time where a row is in conflict.
  const [time] = await db.query<{ seconds: number }>(
    'select extract(epoch from now())::float8 as seconds',
  );
  const counted = await db.query(
    `insert into sign_in_failures as f (provider, target, failures, failed_at, blocked_until)
     values ($1, $2, 1, to_timestamp($3), to_timestamp($3))
     on conflict (provider, target) do update
     set failures = ${failures}, failed_at = greatest(f.failed_at, excluded.failed_at),
       blocked_until = to_timestamp($3 + case when ${failures} < ${freeFailures} then 0
         else least(${maxDelaySeconds}, ${firstDelaySeconds} * power(2, least(${failures} - ${freeFailures}, 30))) end)
     where f.blocked_until <= greatest(f.failed_at, excluded.failed_at)
     returning failures`,
    [...values, time?.seconds],
  );
  if (counted.length > 0) return 0;
  const [row] = await db.query<{ seconds: number }>(
    `select ceil(extract(epoch from blocked_until - now()))::int as seconds
     from sign_in_failures where provider = $1 and target = $2`,
    values,
  );
  return Math.max(1, row?.seconds ?? 1);
}

/** Forgets the failures before a success. */
export async function endAttempts(
  db: Queryable,
  key: SignInKey,
  target: GuessTarget,
): Promise<void> {
  await db.query('delete from sign_in_failures where provider = $1 and target = $2', [
    target.provider,
    hashOf(key, target),
  ]);
}

export function removeForgottenFailures(db: Queryable): Promise<void> {
  const isForgotten = `failed_at < now() - interval '${forgottenAfterSeconds} s'`;
  return runInBatches(removedAtOnce, async (size) => {
    const removed = await db.query(
      `delete from sign_in_failures where ${isForgotten} and (provider, target) in (
         select provider, target from sign_in_failures where ${isForgotten} limit $1
       ) returning 1`,
      [size],
    );
    return removed.length < size;
  });
}

function hashOf(key: SignInKey, { kind, username, deviceId }: GuessTarget): Buffer {
  return key.hash(['failures', kind, username, deviceId ?? null]);
}
