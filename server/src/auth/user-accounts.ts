import type { Database, Queryable } from '../platform/db/database.ts';
import type { Role } from '../platform/http/principal.ts';
import { UserError } from '../platform/user-error.ts';
import { invitationHours, newInvitation } from './invitations.ts';
import { hashPassword } from './password-hash.ts';
import { requireAcceptablePassword } from './password-rules.ts';
import { revokeTokens } from './revocations.ts';
import { revokeSessionsOf } from './sessions.ts';
import { removeSecondFactor } from './sign-in/second-factor.ts';
import { requireUsername, userTaken } from './users.ts';

export type UserSettings = {
  role?: Role | undefined;
  name?: string | undefined;
  email?: string | undefined;
};

/** The id is made when left out. */
export type NewUser = UserSettings & { id?: string | undefined };

export type UserRow = {
  id: string;
  version: number;
  username: string;
  name: string | null;
  email: string | null;
  role: Role;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  createdAt: string;
  updatedAt: string;
  disabledAt: string | null;
  invitationExpiresAt: string | null;
};

/** Whether a user of the table `u`, of a provider, has a second factor. */
const hasFactorAt = (provider: string) =>
  `exists (select from second_factors f where f.provider = ${provider} and f.user_id = u.id)`;
export const hasSecondFactor = hasFactorAt('$1');

/** The columns of a row, without its secrets, in the table `u`, of a provider. */
const columnsAt = (
  provider: string,
) => `u.id, u.version, u.username, u.name, u.email, u.role, u.password_hash is not null as "hasPassword",
  ${hasFactorAt(provider)} as "hasSecondFactor", u.created_at as "createdAt", u.updated_at as "updatedAt", u.disabled_at as "disabledAt",
  case when u.invitation_expires_at > now() then u.invitation_expires_at end as "invitationExpiresAt"`;
export const userColumns = columnsAt('$1');

/** A user, and the token of the link by which the user sets a password. */
export type Invited = { user: UserRow; token: string };

export async function listUsers(
  db: Database,
  provider?: string,
): Promise<(UserRow & { provider: string })[]> {
  return db.query(
    `select u.provider, ${columnsAt('u.provider')} from users u
     where $1::text is null or u.provider = $1 order by u.provider, u.username`,
    [provider ?? null],
  );
}

export async function getUser(
  db: Queryable,
  provider: string,
  id: string,
): Promise<UserRow | undefined> {
  const [row] = await db.query<UserRow>(
    `select ${userColumns} from users u where u.provider = $1 and u.id = $2`,
    [provider, id],
  );
  return row;
}

/** The id of a user whom a command names. */
export async function userIdOf(db: Queryable, provider: string, username: string): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    'select id from users where provider = $1 and username = $2',
    [provider, username.toLowerCase()],
  );
  if (row) return row.id;
  throw new UserError(
    `${provider} has no user ${username}: "motorpool user list --provider ${provider}" shows them.`,
  );
}

/** Makes a user without a password. */
export async function inviteUser(
  tx: Queryable,
  provider: string,
  username: string,
  { role = 'editor', name, email, id }: NewUser,
): Promise<Invited> {
  requireUsername(username);
  const { token, hash } = newInvitation();
  const [invited] = await tx.query<{ id: string }>(
    `insert into users (provider, username, role, name, invitation_hash, invitation_expires_at, email, id)
     values ($1, $2, $3, $4, $5, now() + make_interval(hours => $6), $7, coalesce($8::uuid, gen_random_uuid()))
     on conflict do nothing returning id`,
    [
      provider,
      username.toLowerCase(),
      role,
      name ?? null,
      hash,
      invitationHours,
      email ?? null,
      id ?? null,
    ],
  );
  const user = invited && (await getUser(tx, provider, invited.id));
  if (!user) throw await userTaken(tx, provider, username, id);
  return { user, token };
}

/** Overwrites the settings. With another role, the tokens of the user are revoked; sessions get tokens with the new one. */
export async function updateUser(
  tx: Queryable,
  provider: string,
  id: string,
  { role = 'editor', name, email }: UserSettings,
): Promise<UserRow | undefined> {
  const [before] = await tx.query<{ role: Role }>(
    'select role from users where provider = $1 and id = $2 for update',
    [provider, id],
  );
  if (!before) return undefined;
  if (before.role !== role) await revokeTokens(tx, provider, id);
  return changeUser(tx, provider, id, 'role = $3, name = $4, email = $5', [
    role,
    name ?? null,
    email ?? null,
  ]);
}

export async function setUserRole(
  tx: Queryable,
  provider: string,
  id: string,
  role: Role,
): Promise<void> {
  await changeUser(tx, provider, id, 'role = $3', [role]);
  await revokeTokens(tx, provider, id);
}

/** A disabled user cannot sign in; the tokens and sessions of before are rejected, also after the user is enabled. */
export async function setUserDisabled(
  tx: Queryable,
  provider: string,
  id: string,
  isDisabled: boolean,
): Promise<UserRow | undefined> {
  const change = 'disabled_at = case when $3 then coalesce(disabled_at, $4) end';
  const user = await changeUser(tx, provider, id, change, [isDisabled, new Date()]);
  if (user && isDisabled) await revokeSessionsOf(tx, provider, id);
  return user;
}

/**
 * Ends the password and all sessions of a user, and the second factor where the user has lost it; the link of the token
 * sets a new password.
 */
export async function resetUser(
  tx: Queryable,
  provider: string,
  id: string,
  options: { removesSecondFactor: boolean },
): Promise<Invited | undefined> {
  if (options.removesSecondFactor) await removeSecondFactor(tx, { provider, userId: id });
  const { token, hash } = newInvitation();
  const change = `password_hash = null, demo = false, invitation_hash = $3,
    invitation_expires_at = now() + make_interval(hours => $4)`;
  const user = await changeUser(tx, provider, id, change, [hash, invitationHours]);
  if (!user) return undefined;
  await revokeSessionsOf(tx, provider, id);
  return { user, token };
}

/** Replaces the password; sessions and links of before are rejected. */
export async function setPassword(
  tx: Queryable,
  provider: string,
  id: string,
  password: string,
): Promise<UserRow | undefined> {
  const before = await getUser(tx, provider, id);
  if (!before) return undefined;
  await requireAcceptablePassword(password, { provider, username: before.username });
  const change =
    'password_hash = $3, demo = false, invitation_hash = null, invitation_expires_at = null';
  const user = await changeUser(tx, provider, id, change, [await hashPassword(provider, password)]);
  if (user) await revokeSessionsOf(tx, provider, id);
  return user;
}

/** Returns the version that the user had. */
export async function removeUser(
  tx: Queryable,
  provider: string,
  id: string,
): Promise<{ version: number } | undefined> {
  const [removed] = await tx.query<{ version: number }>(
    'delete from users where provider = $1 and id = $2 returning version',
    [provider, id],
  );
  if (removed) await revokeSessionsOf(tx, provider, id);
  return removed;
}

async function changeUser(
  tx: Queryable,
  provider: string,
  id: string,
  change: string,
  values: readonly unknown[],
): Promise<UserRow | undefined> {
  await tx.query(
    `update users set ${change}, version = version + 1, updated_at = now() where provider = $1 and id = $2`,
    [provider, id, ...values],
  );
  return getUser(tx, provider, id);
}
