import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import type { Queryable } from '../platform/db/database.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
// OWASP's parameters for scrypt at 16 MiB a guess.
const cost = { N: 2 ** 14, r: 8, p: 5 };

/** Kept in the database, so that every process hashes alike; made on first use. */
export async function serverSecret(db: Queryable, name: string): Promise<Buffer> {
  const made = randomBytes(32);
  await db.query(
    'insert into server_secrets (name, value) values ($1, $2) on conflict do nothing',
    [name, made],
  );
  const [row] = await db.query<{ value: Buffer }>(
    'select value from server_secrets where name = $1',
    [name],
  );
  return row?.value ?? made;
}

/** A client's secret: 256 random bits need no slow hash, only one that is useless without the key. */
export function newClientSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function hashClientSecret(key: Buffer, secret: string): Buffer {
  return createHmac('sha256', key).update(secret).digest();
}

export function matchesClientSecret(key: Buffer, hash: Buffer, secret: string): boolean {
  return timingSafeEqual(hash, hashClientSecret(key, secret));
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize('NFKC'), salt, 32, cost);
  return `scrypt:${salt.toString('base64url')}:${hash.toString('base64url')}`;
}

// Compared against when there is no such user, so that the answer takes as long.
const nobodysHash = `scrypt:${'A'.repeat(22)}:${'A'.repeat(43)}`;

export async function matchesPassword(
  kept: string | undefined,
  password: string,
): Promise<boolean> {
  const [, salt, hash] = (kept ?? nobodysHash)
    .split(':')
    .map((part) => Buffer.from(part, 'base64url'));
  if (!salt || !hash) return false;
  const derived = await derive(password.normalize('NFKC'), salt, 32, cost);
  return timingSafeEqual(hash, derived) && kept !== undefined;
}
