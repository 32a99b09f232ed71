import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queryable } from '../platform/db/database.ts';

/** Stored in the database, so that all processes share it; created on first use. */
export async function serverSecret(db: Queryable, name: string): Promise<Buffer> {
  const created = randomBytes(32);
  await db.query(
    'insert into server_secrets (name, value) values ($1, $2) on conflict do nothing',
    [name, created],
  );
  const [row] = await db.query<{ value: Buffer }>(
    'select value from server_secrets where name = $1',
    [name],
  );
  return row?.value ?? created;
}

/** 256 random bits, for which a fast keyed hash is sufficient. */
export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashClientSecret(key: Buffer, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest();
}

export function matchesClientSecret(key: Buffer, hash: Buffer, secret: string): boolean {
  return timingSafeEqual(hash, hashClientSecret(key, secret));
}
