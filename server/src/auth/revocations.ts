import type { Queryable } from '../platform/db/database.ts';
import type { Principal } from '../platform/http/principal.ts';

/**
 * Revokes the tokens that a client or a user has now: every process refuses them within a second. Versions begin with the
 * time in seconds, so that they also increase after the row of an earlier one was removed.
 */
export async function revokeTokens(
  tx: Queryable,
  provider: string,
  subject: string,
): Promise<void> {
  await tx.query(
    `insert into token_revocations (provider, subject, version, revoked_at)
     values ($1, $2, extract(epoch from now() - timestamptz '2026-01-01 00:00Z')::int, now())
     on conflict (provider, subject) do update
     set version = greatest(token_revocations.version + 1, excluded.version), revoked_at = excluded.revoked_at`,
    [provider, subject],
  );
}

/** Whether a token has been revoked by now: processes know it a second later. */
export async function isRevokedNow(tx: Queryable, token: Principal): Promise<boolean> {
  const { provider, subject, version, clientId, clientVersion, tokenId } = token;
  const revoked = await tx.query(
    `select from token_revocations
     where provider = $1 and (subject = $2 and version > $3 or subject = $4 and version > $5)
     union all select from revoked_tokens where provider = $1 and token_id = $6`,
    [provider, subject, version, clientId, clientVersion, tokenId],
  );
  return revoked.length > 0;
}

/** Those that every token outlived by far. */
export async function removeExpiredRevocations(tx: Queryable): Promise<void> {
  await tx.query(`delete from token_revocations where revoked_at < now() - interval '1 day'`);
}
