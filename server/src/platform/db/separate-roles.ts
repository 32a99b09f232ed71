import pg from 'pg';
import { UserError } from '../user-error.ts';
import { startTimeoutMs } from './servers.ts';
import { isUnavailable } from './unavailable.ts';

type Identity = { server: string; database: string; role: string; superuser: boolean };

/** Both addresses must lead to one database, and the service's role must not be able to do what the owner may. */
export async function requireSeparateRoles(
  owner: pg.ClientConfig,
  service: pg.ClientConfig,
): Promise<{ serviceRole: string }> {
  const { identity, members } = await connectedTo('DATABASE_URL', service, async (client) => ({
    identity: await identify(client),
    members: await client.query<{ role: string }>(
      `select rolname as role from pg_roles where pg_has_role(oid, 'member')`,
    ),
  }));
  const ownerIdentity = await connectedTo('DATABASE_OWNER_URL', owner, identify);
  if (identity.server !== ownerIdentity.server || identity.database !== ownerIdentity.database)
    throw new UserError('DATABASE_OWNER_URL: names another database than DATABASE_URL.');
  if (identity.superuser) {
    throw new UserError(
      `DATABASE_URL: its role ${identity.role} is a superuser, which no grant restricts: use another one.`,
    );
  }
  if (members.rows.some(({ role }) => role === ownerIdentity.role)) {
    const { role } = ownerIdentity;
    throw new UserError(
      identity.role === role
        ? `DATABASE_OWNER_URL: has the role ${role} of DATABASE_URL: use two roles, or leave it empty.`
        : `DATABASE_URL: its role ${identity.role} is a member of ${role}, the role of DATABASE_OWNER_URL: revoke that.`,
    );
  }
  return { serviceRole: identity.role };
}

/** Runs `work` on a connection of its own, and blames the setting for a failure. */
async function connectedTo<Result>(
  setting: string,
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: startTimeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    throw unusable(setting, error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function identify(client: pg.Client): Promise<Identity> {
  const { rows } = await client.query<Identity>(
    `select pg_postmaster_start_time()::text as server, current_database() as database, current_user as role,
            (select rolsuper from pg_roles where rolname = current_user) as superuser`,
  );
  return rows[0] as Identity;
}

const insufficientPrivilege = '42501';
const readOnly = '25006';

/** One sentence for a database that a setting names and that cannot be used. */
export function unusable(setting: string, error: unknown): UserError {
  if (error instanceof UserError) return error;
  const reason = reasonOf(error);
  if ((error as pg.DatabaseError).code === insufficientPrivilege) {
    return new UserError(
      `${setting}: its role may not migrate the database (${reason}): make it the owner of the database and all in it.`,
    );
  }
  const isSilent = isUnavailable(error) && (error as pg.DatabaseError).code !== readOnly;
  const state = isSilent ? 'does not answer' : 'cannot be used';
  return new UserError(`${setting}: the database ${state} (${reason}).`);
}

/** A host with several addresses fails with an AggregateError, which has no message. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return (error as Error).message;
}
