import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Queryable } from '../platform/db/database.ts';
import { secretName } from './sealed-secrets.ts';

export const tokenLifetimeSeconds = 300;

/** A retired key is served until its last token has expired, with a margin. */
const retirementSeconds = tokenLifetimeSeconds + 60;

export type SigningKey = JWK & { kid: string };

/** Opened keys by their id, which spares the decryption of keys that are read again and again. */
export type OpenedKeys = {
  get(kid: string): SigningKey | undefined;
  set(kid: string, key: SigningKey): unknown;
};

/**
 * Creates a new signing key. The previous one verifies tokens until the last has expired, or, with `dropPrevious`,
 * none from now on.
 */
export async function rotateKey(
  tx: Queryable,
  provider: string,
  { dropPrevious = false } = {},
): Promise<string> {
  const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
  const kid = randomUUID();
  const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' };
  // Serializes rotations: of two concurrent ones, neither would retire the other's key.
  await tx.query('select 1 from providers where id = $1 for no key update', [provider]);
  await tx.query(
    dropPrevious
      ? 'delete from realm_keys where provider = $1'
      : 'update realm_keys set retired_at = now() where provider = $1 and retired_at is null',
    [provider],
  );
  await tx.query('insert into realm_keys (provider, kid, sealed_jwk) values ($1, $2, $3)', [
    provider,
    kid,
    tx.secrets.seal(keyName(provider, kid), JSON.stringify(jwk)),
  ]);
  await tx.query(
    'delete from realm_keys where provider = $1 and retired_at < now() - make_interval(secs => $2)',
    [provider, retirementSeconds],
  );
  return kid;
}

/** The keys that verify the realm's tokens, the one that signs first. */
export async function realmKeys(
  db: Queryable,
  provider: string,
  opened: OpenedKeys = new Map(),
): Promise<SigningKey[]> {
  const rows = await db.query<KeyRow>(
    `select kid, private_jwk, sealed_jwk from realm_keys
     where provider = $1 and (retired_at is null or retired_at > now() - make_interval(secs => $2))
     order by retired_at desc nulls first`,
    [provider, retirementSeconds],
  );
  return rows.map(({ kid, private_jwk, sealed_jwk }) => {
    const known = private_jwk ?? opened.get(kid);
    if (known) return known;
    const key = JSON.parse(db.secrets.open(keyName(provider, kid), sealed_jwk ?? ''));
    opened.set(kid, key);
    return key;
  });
}

/** The clear key is one of the previous release. */
type KeyRow = { kid: string; private_jwk: SigningKey | null; sealed_jwk: string | null };

function keyName(provider: string, kid: string): string {
  return secretName('realm_keys', provider, kid);
}
