import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../platform/db/database.ts';
import { hashPassword } from './password-hash.ts';
import { requireAcceptablePassword } from './password-rules.ts';
import type { CheckedUser, NamedUser } from './users.ts';

export const invitationHours = 72;

export type Invitation = { token: string; hash: Buffer };

export function newInvitation(): Invitation {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashOf(token) };
}

/** The token is in the fragment, which browsers send to nobody: it is in no log of a server or a proxy. */
export function invitationLink(realmUrl: string, token: string): string {
  return `${realmUrl}/invitation#${token}`;
}

/** The user who may set a password with the token. */
export async function findInvitation(
  db: Database,
  provider: string,
  token: string,
): Promise<NamedUser | undefined> {
  const [user] = await db.query<NamedUser>(`select id, username from users where ${isOpen}`, [
    provider,
    hashOf(token),
  ]);
  return user;
}

/** Sets the password of the invited user, whom it returns; of several attempts with one token, the first succeeds. */
export async function acceptInvitation(
  db: Database,
  provider: string,
  token: string,
  password: string,
): Promise<CheckedUser | undefined> {
  const user = await findInvitation(db, provider, token);
  if (!user) return undefined;
  await requireAcceptablePassword(password, { provider, username: user.username });
  const [accepted] = await db.query<CheckedUser>(
    `update users
     set password_hash = $3, invitation_hash = null, invitation_expires_at = null,
         version = version + 1, updated_at = now()
     where ${isOpen} returning id, username, version`,
    [provider, hashOf(token), await hashPassword(provider, password)],
  );
  return accepted;
}

const isOpen =
  'provider = $1 and invitation_hash = $2 and invitation_expires_at > now() and disabled_at is null';

/** 256 random bits, for which a fast hash is sufficient. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
