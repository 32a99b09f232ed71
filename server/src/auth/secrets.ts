import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Queryable } from '../platform/db/database.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
// OWASP's scrypt parameters for 16 MiB per hash.
const cost = { N: 2 ** 14, r: 8, p: 5 };

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

/** Compares with each hash, whether or not an earlier one matches. */
export function matchesClientSecret(
  key: Buffer,
  hashes: readonly Buffer[],
  secret: string,
): boolean {
  const sent = hashClientSecret(key, secret);
  return hashes.filter((hash) => timingSafeEqual(hash, sent)).length > 0;
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, 32, cost);
  return `scrypt:${salt.toString('base64url')}:${hash.toString('base64url')}`;
}

// Compared with for an unknown user, so that the time does not reveal which users exist.
const dummyHash = `scrypt:${'A'.repeat(22)}:${'A'.repeat(43)}`;

export async function matchesPassword(
  storedHash: string | undefined,
  password: string,
): Promise<boolean> {
  const [, salt, hash] = (storedHash ?? dummyHash)
    .split(':')
    .map((part) => Buffer.from(part, 'base64url'));
  if (!salt || !hash) return false;
  const derived = await derive(password.normalize('NFKC'), salt, 32, cost);
  return timingSafeEqual(hash, derived) && storedHash !== undefined;
}
