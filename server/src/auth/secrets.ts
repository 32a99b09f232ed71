import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../platform/db/database.ts';
import { secretName } from './sealed-secrets.ts';

/** By which browsers and applications prove that somebody has signed in. */
export const signInSecrets = {
  cookies: 'cookie-key',
  refreshTokens: 'refresh-token-key',
  signIns: 'sign-in-key',
} as const;

/** Stored in the database, so that all processes share it; created on first use. */
export async function serverSecret(db: Queryable, name: string): Promise<Buffer> {
  for (;;) {
    const [row] = await db.query<{ value: Buffer | null; sealed_value: string | null }>(
      'select value, sealed_value from server_secrets where name = $1',
      [name],
    );
    // The clear value is one of the previous release.
    if (row)
      return row.value ?? Buffer.from(db.secrets.open(nameOf(name), row.sealed_value ?? ''), 'hex');
    await db.query(
      'insert into server_secrets (name, sealed_value) values ($1, $2) on conflict do nothing',
      [name, newSealedSecret(db, name)],
    );
  }
}

/** For one that others may know. Processes that have read it keep it until they are restarted. */
export async function replaceServerSecret(tx: Queryable, name: string): Promise<void> {
  await tx.query('update server_secrets set value = null, sealed_value = $2 where name = $1', [
    name,
    newSealedSecret(tx, name),
  ]);
}

function newSealedSecret({ secrets }: Queryable, name: string): string {
  return secrets.seal(nameOf(name), randomBytes(32).toString('hex'));
}

function nameOf(name: string): string {
  return secretName('server_secrets', name);
}

/** 256 random bits, for which a fast keyed hash is sufficient. */
export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashClientSecret(key: KeyObject, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest();
}

/** Compares with each hash, whether or not an earlier one matches. */
export function matchesClientSecret(
  key: KeyObject,
  hashes: readonly Buffer[],
  secret: string,
): boolean {
  const sent = hashClientSecret(key, secret);
  return hashes.filter((hash) => timingSafeEqual(hash, sent)).length > 0;
}
