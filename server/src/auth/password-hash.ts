import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { createTenantSlots } from '../platform/tenant-slots.ts';

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

type Cost = { N: number; r: number; p: number };

// OWASP's scrypt parameters for 16 MiB per hash.
const firstCost: Cost = { N: 2 ** 14, r: 8, p: 5 };
let cost = firstCost;

/** Tests that are not about hashing sign in many times. */
export function setHashingCostForTests(other: Cost = firstCost): void {
  cost = other;
}

const maxMemoryBytes = 256 * 1024 * 1024;
const hashBytes = 32;

// Half of libuv's threads, which also sign tokens, and not all processors: docs/decisions/0029-sign-in.md.
const maxConcurrent = availableParallelism() > 2 ? 2 : 1;

const slots = createTenantSlots({
  slots: maxConcurrent,
  share: maxConcurrent,
  // More than are admitted: docs/decisions/0029-sign-in.md.
  maxWaiting: 300,
  maxWaitingOfTenant: 100,
  maxWaitMs: 120_000,
  resource: 'the hashing of passwords',
});

/** Bounds what hashing a password can cost; longer ones cannot be set. */
export const maxPasswordLength = 256;

export async function hashPassword(provider: string, password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await deriveInTurn(provider, password, salt, cost);
  return ['scrypt', salt.toString('base64url'), hash.toString('base64url'), formatCost(cost)].join(
    ':',
  );
}

// Compared with for an unknown user, so that the time does not reveal which users exist.
const dummyHash = () => `scrypt:${'A'.repeat(22)}:${'A'.repeat(43)}:${formatCost(cost)}`;

export async function matchesPassword(
  provider: string,
  storedHash: string | undefined,
  password: string,
): Promise<boolean> {
  if (password.length > maxPasswordLength) return false;
  const { salt, hash, cost } = parseHash(storedHash ?? dummyHash());
  const derived = await deriveInTurn(provider, password, salt, cost);
  return timingSafeEqual(hash, derived) && storedHash !== undefined;
}

/** Whether the hash was made with other parameters than the current ones. */
export function isOutdated(storedHash: string): boolean {
  return formatCost(parseHash(storedHash).cost) !== formatCost(cost);
}

/** The parameters come last, so that a release that does not know them can still read the hash. */
function parseHash(storedHash: string): { salt: Buffer; hash: Buffer; cost: Cost } {
  const [, salt = '', hash = '', parameters] = storedHash.split(':');
  return {
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
    cost: parameters === undefined ? firstCost : parseCost(parameters),
  };
}

function formatCost({ N, r, p }: Cost): string {
  return `N=${N},r=${r},p=${p}`;
}

function parseCost(parameters: string): Cost {
  const [, N, r, p] = /^N=(\d+),r=(\d+),p=(\d+)$/.exec(parameters) ?? [];
  return { N: Number(N), r: Number(r), p: Number(p) };
}

function deriveInTurn(
  provider: string,
  password: string,
  salt: Buffer,
  cost: Cost,
): Promise<Buffer> {
  const parameters = { ...cost, maxmem: maxMemoryBytes };
  return slots.run(provider, () => derive(password.normalize('NFKC'), salt, hashBytes, parameters));
}
