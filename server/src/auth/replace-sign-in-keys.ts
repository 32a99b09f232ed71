import type { Queryable } from '../platform/db/database.ts';
import { replaceServerSecret, signInSecrets } from './secrets.ts';
import { endAllSignIns } from './sessions.ts';

export type EndedSignIns = { sessions: number; refreshTokens: number; recoveryCodes: number };

/**
 * For keys that others may have seen, who could sign in with them as anybody: replaces them, and ends what was signed or
 * hashed with them.
 */
export async function replaceSignInKeys(tx: Queryable): Promise<EndedSignIns> {
  for (const name of Object.values(signInSecrets)) await replaceServerSecret(tx, name);
  const ended = await endAllSignIns(tx);
  // Hashed with the key of sign-ins: none would match any more.
  const recoveryCodes = await tx.query('delete from recovery_codes returning user_id');
  return { ...ended, recoveryCodes: recoveryCodes.length };
}
