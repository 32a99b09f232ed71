import type { Database } from '../platform/db/database.ts';
import { runInBatches } from '../platform/db/run-in-batches.ts';
import { replaceServerSecret, signInSecrets } from './secrets.ts';
import { endAllSignIns } from './sessions.ts';

export type EndedSignIns = { sessions: number; refreshTokens: number; recoveryCodes: number };

const removedAtOnce = 1_000;

/**
 * For keys that others may have seen, who could sign in with them as anybody: replaces them, and ends what was signed or
 * hashed with them. One that fails is repeated.
 */
export async function replaceSignInKeys(db: Database): Promise<EndedSignIns> {
  await db.transaction(async (tx) => {
    for (const name of Object.values(signInSecrets)) await replaceServerSecret(tx, name);
  });
  return { ...(await endAllSignIns(db)), recoveryCodes: await removeRecoveryCodes(db) };
}

/** Hashed with the key of sign-ins: none would match any more. */
async function removeRecoveryCodes(db: Database): Promise<number> {
  let count = 0;
  await runInBatches(removedAtOnce, async (size) => {
    const removed = await db.query(
      `delete from recovery_codes where (provider, user_id, code_hash) in (
         select provider, user_id, code_hash from recovery_codes limit $1
       ) returning 1`,
      [size],
    );
    count += removed.length;
    return removed.length < size;
  });
  return count;
}
