import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../platform/db/database.ts';
import { secretName } from './sealed-secrets.ts';

/** Stored in the database, so that all processes share it; created on first use. */
export async function serverSecret(db: Queryable, name: string): Promise<Buffer> {
  const sealedAs = secretName('server_secrets', name);
  for (;;) {
    const [row] = await db.query<{ value: Buffer | null; sealed_value: string | null }>(
      'select value, sealed_value from server_secrets where name = $1',
      [name],
    );
    // The clear value is one of the previous release.
    if (row)
      return row.value ?? Buffer.from(db.secrets.open(sealedAs, row.sealed_value ?? ''), 'hex');
    const created = randomBytes(32).toString('hex');
    await db.query(
      'insert into server_secrets (name, sealed_value) values ($1, $2) on conflict do nothing',
      [name, db.secrets.seal(sealedAs, created)],
    );
  }
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
