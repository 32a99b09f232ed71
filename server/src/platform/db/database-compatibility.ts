import type pg from 'pg';
import { UserError } from '../user-error.ts';
import type { Queryable } from './database.ts';

export async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding,
       exists (select from pg_collation where collprovider = 'i') as has_icu`,
  );
  const { version, encoding, has_icu: hasIcu } = rows[0];
  if (version < 150_000) {
    throw new UserError(
      `The database is PostgreSQL ${Math.floor(version / 10_000)}: 15 or newer is needed.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new UserError(
      `The database's encoding is ${encoding}: UTF8 is needed (create database … encoding 'UTF8').`,
    );
  }
  if (!hasIcu) {
    throw new UserError(
      'The database’s PostgreSQL has no ICU, by which text is ordered: use one that is built with it, as packages are.',
    );
  }
}

/** The role that migrates must own the schema: otherwise it fails later, at the first change. */
export async function requireOwnership(client: pg.Client, schemaTable: string): Promise<void> {
  const { rows } = await client.query(
    `select current_user as role, pg_get_userbyid(relowner) as owner from pg_class
     where oid = to_regclass($1) and not pg_has_role(relowner, 'usage')`,
    [schemaTable],
  );
  if (rows.length === 0) return;
  const { role, owner } = rows[0];
  throw new UserError(
    `The tables of the database belong to the role ${owner}, and ${role} is to migrate them: ` +
      `set DATABASE_OWNER_URL to the address with ${owner}, or give them to ${role} (reassign owned by ${owner} to ${role}).`,
  );
}

/** Migrations that this program does not know are accepted only if they expand the schema. */
export async function requireCompatibleSchema(
  client: pg.Client,
  schemaTable: string,
  newest: number,
): Promise<void> {
  const { rows: tables } = await client.query(
    `select to_regclass('schema_version') is not null as is_prerelease, to_regclass($1) is not null as present`,
    [schemaTable],
  );
  const { is_prerelease: isPrerelease, present } = tables[0];
  if (isPrerelease) {
    throw new UserError(
      'The database has the schema of a Motorpool from before the first release, which is not upgraded: ' +
        'set DATABASE_URL, or DATA_DIR for the embedded database, to an empty one.',
    );
  }
  if (!present) return;
  const { rows: unknown } = await client.query(
    `select version from ${schemaTable} where version > $1 and name not like 'expand-%' order by version desc limit 1`,
    [newest],
  );
  if (unknown.length > 0) {
    throw new UserError(
      `The database has schema version ${unknown[0].version}, and this program knows ${newest}: run the newer Motorpool.`,
    );
  }
}

/** One sentence if the schema is not one that a program whose newest migration is this one can use. */
export async function findSchemaFault(db: Queryable, newest: number): Promise<string | undefined> {
  const [row] = await db.query<{ version: number; contracted: number | null }>(
    `select max(version)::int as version,
       (max(version) filter (where version > $1 and name not like 'expand-%'))::int as contracted
     from schema_migrations`,
    [newest],
  );
  if (row && row.version < newest)
    return `The database has schema version ${row.version}, and this program needs ${newest}.`;
  if (row && row.contracted !== null)
    return `The database has schema version ${row.contracted}, and this program knows ${newest}.`;
  return undefined;
}
