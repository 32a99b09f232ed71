import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../../platform/db/database.ts';
import { secretName } from '../sealed-secrets.ts';
import { revokeSessionsOf } from '../sessions.ts';
import type { SignInKey } from './sign-in-key.ts';
import { matchingStep, toBase32 } from './totp.ts';

/** A user of a realm. */
export type FactorOwner = { provider: string; userId: string };

const recoveryCodes = 10;
const recoveryCodeBytes = 10;

export async function hasSecondFactor(
  db: Queryable,
  { provider, userId }: FactorOwner,
): Promise<boolean> {
  const found = await db.query(
    'select 1 from second_factors where provider = $1 and user_id = $2',
    [provider, userId],
  );
  return found.length > 0;
}

/** The version of the user after a second factor was added or removed: what began before is not of this user. */
export type ChangedFactor = { version: number };

/**
 * Returns the recovery codes, of which only hashes are stored; undefined if the user has a second factor already. Ends all
 * sessions but the one in which it is added: in these, it was not asked for.
 */
export async function addSecondFactor(
  db: Database,
  key: SignInKey,
  owner: FactorOwner,
  { secret, confirmedStep, session }: { secret: Buffer; confirmedStep: number; session: string },
): Promise<(ChangedFactor & { codes: string[] }) | undefined> {
  const { provider, userId } = owner;
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode);
  return db.transaction(async (tx) => {
    const added = await tx.query(
      `insert into second_factors (provider, user_id, sealed_secret, last_step) values ($1, $2, $3, $4)
       on conflict do nothing returning user_id`,
      [provider, userId, tx.secrets.seal(nameOf(owner), secret.toString('hex')), confirmedStep],
    );
    if (added.length === 0) return undefined;
    await tx.query(
      `insert into recovery_codes (provider, user_id, code_hash)
       select $1, $2, hash from unnest($3::bytea[]) hash`,
      [provider, userId, codes.map((code) => hashRecoveryCode(key, code))],
    );
    const version = await raiseVersion(tx, owner);
    await revokeSessionsOf(tx, provider, userId, { except: session });
    return { codes, version };
  });
}

/** Whether it is a code of the app or a recovery code; each is accepted once. */
export async function redeemCode(
  db: Database,
  key: SignInKey,
  owner: FactorOwner,
  typed: string,
): Promise<boolean> {
  const { provider, userId } = owner;
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase();
  const [row] = await db.query<{ sealed: string }>(
    'select sealed_secret as sealed from second_factors where provider = $1 and user_id = $2',
    [provider, userId],
  );
  if (!row) return false;
  const secret = Buffer.from(db.secrets.open(nameOf(owner), row.sealed), 'hex');
  const step = matchingStep(secret, code, Date.now());
  const redeemed =
    step === undefined
      ? await db.query(
          `delete from recovery_codes where provider = $1 and user_id = $2 and code_hash = $3
           returning user_id`,
          [provider, userId, hashRecoveryCode(key, code)],
        )
      : await db.query(
          `update second_factors set last_step = $3
           where provider = $1 and user_id = $2 and last_step < $3 returning user_id`,
          [provider, userId, step],
        );
  return redeemed.length > 0;
}

export async function removeSecondFactor(
  tx: Queryable,
  owner: FactorOwner,
): Promise<ChangedFactor> {
  await tx.query('delete from second_factors where provider = $1 and user_id = $2', [
    owner.provider,
    owner.userId,
  ]);
  return { version: await raiseVersion(tx, owner) };
}

/** Before sessions are ended: a sign-in that is being finished waits for it, and then sees it. */
async function raiseVersion(tx: Queryable, { provider, userId }: FactorOwner): Promise<number> {
  const [user] = await tx.query<{ version: number }>(
    `update users set version = version + 1, updated_at = now() where provider = $1 and id = $2
     returning version`,
    [provider, userId],
  );
  return user?.version ?? 0;
}

function newRecoveryCode(): string {
  return toBase32(randomBytes(recoveryCodeBytes));
}

/** 80 random bits, for which a fast keyed hash is sufficient. */
function hashRecoveryCode(key: SignInKey, code: string): Buffer {
  return key.hash(['recovery code', code]);
}

function nameOf({ provider, userId }: FactorOwner): string {
  return secretName('second_factors', provider, userId);
}
