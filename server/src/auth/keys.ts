import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Queryable } from '../platform/db/database.ts';

export const tokenLifetimeSeconds = 300;

/** A retired key is served until its last token has expired, with a margin. */
const retirementSeconds = tokenLifetimeSeconds + 60;

export type SigningKey = JWK & { kid: string };

/** Creates a new signing key; the previous one verifies tokens until the last has expired. */
export async function rotateKey(tx: Queryable, provider: string): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const kid = randomUUID();
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
  // Serializes rotations: of two concurrent ones, neither would retire the other's key.
  await tx.query('select 1 from providers where id = $1 for no key update', [provider]);
  await tx.query(
    'update realm_keys set retired_at = now() where provider = $1 and retired_at is null',
    [provider],
  );
  await tx.query('insert into realm_keys (provider, kid, private_jwk) values ($1, $2, $3)', [
    provider,
    kid,
    jwk,
  ]);
  await tx.query(
    'delete from realm_keys where provider = $1 and retired_at < now() - make_interval(secs => $2)',
    [provider, retirementSeconds],
  );
  return kid;
}

/** The keys that verify the realm's tokens, the one that signs first. */
export async function realmKeys(db: Queryable, provider: string): Promise<SigningKey[]> {
  const rows = await db.query<{ private_jwk: SigningKey }>(
    `select private_jwk from realm_keys
     where provider = $1 and (retired_at is null or retired_at > now() - make_interval(secs => $2))
     order by retired_at desc nulls first`,
    [provider, retirementSeconds],
  );
  return rows.map((row) => row.private_jwk);
}
