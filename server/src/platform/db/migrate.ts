import pg from 'pg';
import Postgrator from 'postgrator';
import { installQueue } from '../jobs/install.ts';
import { UserError } from '../user-error.ts';
import { sessionOptions } from './database.ts';

const folder = new URL('../../../migrations/', import.meta.url).pathname;
const lock = 7_003;

/** Brings the schema to the newest version, in one transaction; says how many steps that took. */
export async function migrate(connection: pg.ClientConfig): Promise<number> {
  const client = new pg.Client({
    ...connection,
    application_name: 'motorpool migrate',
    options: sessionOptions,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    await refuseUnfit(client);
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [lock]);
    const postgrator = new Postgrator({
      driver: 'pg',
      migrationPattern: `${literalPattern(folder)}*.sql`,
      schemaTable: 'schema_version',
      execQuery: (query: string) => client.query(query),
    });
    const [current, newest] = [
      await postgrator.getDatabaseVersion(),
      await postgrator.getMaxVersion(),
    ];
    if (current > newest) {
      throw new UserError(
        `The database has schema version ${current}, and this program knows ${newest}: run the newer Motorpool.`,
      );
    }
    const applied = current === newest ? [] : await postgrator.migrate();
    await client.query('commit');
    await installQueue(client);
    return applied.length;
  } finally {
    await client.end();
  }
}

async function refuseUnfit(client: pg.Client): Promise<void> {
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

function literalPattern(path: string): string {
  return decodeURIComponent(path).replace(/[[\]{}()*?!+@]/g, '[$&]');
}
