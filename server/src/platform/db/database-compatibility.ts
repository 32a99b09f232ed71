import type pg from 'pg';
import { UserError } from '../user-error.ts';

export async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
  );
  const { version, encoding } = rows[0];
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
