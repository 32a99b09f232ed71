import type { Database, Queryable } from '../platform/db/database.ts';
import { formats } from '../platform/http/formats.ts';
import type { Role } from '../platform/http/principal.ts';
import { isStorable } from '../platform/http/storable-text.ts';
import { UserError } from '../platform/user-error.ts';
import { AdministrationConflict } from './administration-conflict.ts';
import { hashPassword, isOutdated, matchesPassword } from './password-hash.ts';
import { requireAcceptablePassword } from './password-rules.ts';

export type User = {
  id: string;
  username: string;
  name: string | null;
  email: string | null;
  role: Role;
  /** Increases with every change of the user. */
  version: number;
  revocation: number;
};

export type NamedUser = Pick<User, 'id' | 'username'>;

/** A user as of when the password was checked. */
export type CheckedUser = Pick<User, 'id' | 'username' | 'version'>;

/** A person who signs in to the console of one provider. */
export async function addUser(
  db: Queryable,
  provider: string,
  username: string,
  password: string,
  role: Role = 'editor',
  name?: string,
  { id, email }: { id?: string | undefined; email?: string | undefined } = {},
): Promise<void> {
  requireUsername(username);
  await requireAcceptablePassword(password, { provider, username });
  const added = await insertUser(
    db,
    provider,
    username,
    password,
    { role, name, id, email },
    false,
  );
  if (!added) throw await userTaken(db, provider, username, id);
}

/** Why a user could not be made: the name or the chosen id is another's. */
export async function userTaken(
  db: Queryable,
  provider: string,
  username: string,
  id: string | undefined,
): Promise<AdministrationConflict> {
  const [named] = await db.query('select from users where provider = $1 and username = $2', [
    provider,
    username.toLowerCase(),
  ]);
  if (!named)
    return new AdministrationConflict(
      'user-id-taken',
      'The user id is taken',
      `${provider} has a user with the id ${id} already.`,
    );
  return new AdministrationConflict(
    'username-taken',
    'The user name is taken',
    `The user ${username} of ${provider} exists already.`,
  );
}

export const usernamePattern = '^[A-Za-z0-9_.@+-]{1,64}$';

export function requireUsername(username: string): void {
  if (new RegExp(usernamePattern).test(username)) return;
  throw new UserError('A user name has 1 to 64 letters, digits or any of . _ - + @.');
}

export async function addDemoUser(db: Queryable, provider: string, name: string): Promise<void> {
  await insertUser(db, provider, name, name, { role: 'admin' }, true);
}

type NewUserSettings = {
  role: Role;
  name?: string | undefined;
  id?: string | undefined;
  email?: string | undefined;
};

async function insertUser(
  db: Queryable,
  provider: string,
  username: string,
  password: string,
  { role, name, id, email }: NewUserSettings,
  demo: boolean,
): Promise<boolean> {
  const added = await db.query(
    `insert into users (provider, username, password_hash, demo, role, name, id, email)
     values ($1, $2, $3, $4, $5, $6, coalesce($7::uuid, gen_random_uuid()), $8)
     on conflict do nothing returning id`,
    [
      provider,
      username.toLowerCase(),
      await hashPassword(provider, password),
      demo,
      role,
      name ?? null,
      id ?? null,
      email ?? null,
    ],
  );
  return added.length > 0;
}

export async function authenticateUser(
  db: Database,
  provider: string,
  username: string,
  password: string,
  allowDemoCredentials: boolean,
): Promise<CheckedUser | undefined> {
  if (!isStorable(username)) return undefined;
  const [row] = await db.query<CheckedUser & { passwordHash: string | null }>(
    `select id, username, version, password_hash as "passwordHash" from users
     where provider = $1 and username = $2 and disabled_at is null and (not demo or $3)`,
    [provider, username.toLowerCase(), allowDemoCredentials],
  );
  const hash = row?.passwordHash ?? undefined;
  const matches = await matchesPassword(provider, hash, password);
  if (!matches || !row || hash === undefined) return undefined;
  if (isOutdated(hash)) await rehash(db, provider, row.id, hash, password);
  return { id: row.id, username: row.username, version: row.version };
}

/** By the name that was typed, whatever it is. */
export async function findUserByName(
  db: Database,
  provider: string,
  username: string,
  allowDemoCredentials: boolean,
): Promise<NamedUser | undefined> {
  if (!isStorable(username)) return undefined;
  const [row] = await db.query<NamedUser>(
    `select id, username from users
     where provider = $1 and username = $2 and disabled_at is null and (not demo or $3)`,
    [provider, username.toLowerCase(), allowDemoCredentials],
  );
  return row;
}

export async function findUser(
  db: Database,
  provider: string,
  id: string,
  allowDemoCredentials: boolean,
): Promise<User | undefined> {
  // As it is stored, since revocations have it so.
  if (!formats.uuid(id) || id !== id.toLowerCase()) return undefined;
  const [row] = await db.query<User>(
    `select id, username, name, email, role, version,
            coalesce((select r.version from token_revocations r
                      where r.provider = $1 and r.subject = $2::text), 0) as revocation
     from users
     where provider = $1 and id = $2::text::uuid and disabled_at is null and (not demo or $3)`,
    [provider, id, allowDemoCredentials],
  );
  return row;
}

/** Whether a user is as when the password was checked. Waits for a change that is being made. */
export async function isUnchanged(
  db: Queryable,
  provider: string,
  id: string,
  version: number,
): Promise<boolean> {
  const found = await db.query(
    `select from users where provider = $1 and id = $2::uuid and version = $3 for share`,
    [provider, id, version],
  );
  return found.length > 0;
}

/** Unless the password was changed meanwhile. */
async function rehash(
  db: Database,
  provider: string,
  id: string,
  previousHash: string,
  password: string,
): Promise<void> {
  await db.query(
    'update users set password_hash = $4 where provider = $1 and id = $2 and password_hash = $3',
    [provider, id, previousHash, await hashPassword(provider, password)],
  );
}
