import type { Queryable } from '../platform/db/database.ts';

/** Revokes the tokens that a client or a user has now: every process refuses them within a second. */
export async function revokeTokens(
  tx: Queryable,
  provider: string,
  subject: string,
): Promise<void> {
  await tx.query(
    `insert into token_revocations (provider, subject, version, revoked_at) values ($1, $2, 1, now())
     on conflict (provider, subject) do update set version = token_revocations.version + 1, revoked_at = now()`,
    [provider, subject],
  );
}
