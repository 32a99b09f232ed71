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

/** In SQL: the keys of provider $1 that verify its tokens. */
export const currentKeys = `
  realm_keys where provider = $1
    and (retired_at is null or retired_at > now() - make_interval(secs => ${retirementSeconds}))`;

/** The clear key is one of the previous release. */
export type KeyRow = {
  kid: string;
  private_jwk: SigningKey | null;
  sealed_jwk: string | null;
};

export function openKey(
  db: Queryable,
  provider: string,
  { kid, private_jwk, sealed_jwk }: KeyRow,
  opened: OpenedKeys,
): SigningKey {
  const known = private_jwk ?? opened.get(kid);
  if (known) return known;
  const key = JSON.parse(db.secrets.open(keyName(provider, kid), sealed_jwk ?? ''));
  opened.set(kid, key);
  return key;
}

function keyName(provider: string, kid: string): string {
  return secretName('realm_keys', provider, kid);
}
