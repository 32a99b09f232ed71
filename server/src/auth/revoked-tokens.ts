import type { Queryable } from '../platform/db/database.ts';
import { tokenLifetimeSeconds } from './keys.ts';
import { revokeTokens } from './revocations.ts';

/** How long a revoked token is remembered: longer than any lives. */
export const revokedTokenSeconds = tokenLifetimeSeconds + 60;
/** Every process loads those of a realm each second, so that clients must not make them many. */
const maxRevokedTokens = 2_000;

/**
 * Revokes the access tokens of grants: every process refuses them within a second. Without room to remember them, all tokens of their users
 * are revoked.
 */
export async function revokeGrants(
  tx: Queryable,
  provider: string,
  grantIds: readonly string[],
): Promise<void> {
  if (grantIds.length === 0 || (await remember(tx, provider, grantIds))) return;
  const users = await tx.query<{ id: string }>(
    `select distinct payload->>'accountId' as id from oidc_records
     where provider = $1 and kind = 'Grant' and id = any($2) and payload ? 'accountId' order by id`,
    [provider, grantIds],
  );
  for (const { id } of users) await revokeTokens(tx, provider, id);
}

/** Revokes one token for a client. Returns whether there was room to remember it. */
export async function revokeToken(
  tx: Queryable,
  provider: string,
  tokenId: string,
): Promise<boolean> {
  return remember(tx, provider, [tokenId]);
}

async function remember(
  tx: Queryable,
  provider: string,
  tokenIds: readonly string[],
): Promise<boolean> {
  const revoked = await tx.query(
    `insert into revoked_tokens (provider, token_id) select $1, unnest($2::text[])
     where (select count(*) from revoked_tokens
            where provider = $1 and revoked_at > now() - make_interval(secs => $3)) <= $4
     on conflict (provider, token_id) do update set revoked_at = excluded.revoked_at
     returning token_id`,
    [provider, tokenIds, revokedTokenSeconds, maxRevokedTokens - tokenIds.length],
  );
  return revoked.length > 0;
}

export async function removeForgottenTokens(tx: Queryable): Promise<void> {
  await tx.query(
    'delete from revoked_tokens where revoked_at < now() - make_interval(secs => $1)',
    [revokedTokenSeconds],
  );
}
