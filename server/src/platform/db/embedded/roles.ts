import { randomBytes } from 'node:crypto';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { readAccountFile, writeAccountFile } from './account-files.ts';
import type { Cluster } from './cluster.ts';

/** The superuser prepares the cluster, the owner migrates the schema, the service reads and writes. */
export const roles = {
  superuser: 'motorpool',
  owner: 'motorpool_owner',
  service: 'motorpool_service',
} as const;

type RoleName = (typeof roles)[keyof typeof roles];

export const databaseName = 'motorpool';
const rolesLock = 7_006;

export function passwordFileOf(role: RoleName): string {
  return `${role}-password`;
}

export function loginOf({ pgData, account }: Cluster, role: RoleName) {
  return { user: role, password: readAccountFile(join(pgData, passwordFileOf(role)), account) };
}

/**
 * Creates the roles and gives the owner what belongs to the superuser: all of it in a data folder of a release that
 * knew no roles, and what such a release adds when it is started again.
 */
export async function ensureRoles(cluster: Cluster, superuser: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(superuser);
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [rolesLock]);
    for (const role of [roles.owner, roles.service]) await ensureRole(client, cluster, role);
    await client.query(takeOwnership);
  } finally {
    await client.end().catch(() => {});
  }
}

async function ensureRole(client: pg.Client, cluster: Cluster, role: RoleName): Promise<void> {
  const file = join(cluster.pgData, passwordFileOf(role));
  const { rows } = await client.query('select from pg_roles where rolname = $1', [role]);
  if (rows.length > 0 && existsSync(file)) return;
  const password = randomBytes(32).toString('base64url');
  const building = `${file}.new`;
  writeAccountFile(building, password, cluster.account);
  const statement = rows.length > 0 ? 'alter' : 'create';
  await client.query(`${statement} role ${role} login password '${password}'`);
  // Last: a password whose file is missing is replaced by the next start.
  renameSync(building, file);
}

const isExtensions = (catalogue: string) => `exists (select from pg_depend d
  where d.classid = '${catalogue}'::regclass and d.objid = o.oid and d.deptype = 'e')`;
const isForeign = (namespace: string, owner: string) => `
  ${namespace} in (select oid from pg_namespace where nspname in ('public', 'pgboss'))
  and ${owner} <> '${roles.owner}'::regrole`;

// `reassign owned` refuses the superuser of initdb. Indexes, sequences of columns and row types follow their tables.
const takeOwnership = `
do $$
declare
  object text;
begin
  for object in
    select 'database ' || quote_ident(datname) from pg_database
    where datname = '${databaseName}' and datdba <> '${roles.owner}'::regrole
    union all
    select 'schema ' || quote_ident(nspname) from pg_namespace
    where nspname = 'pgboss' and nspowner <> '${roles.owner}'::regrole
    union all
    select case o.relkind when 'S' then 'sequence ' when 'v' then 'view ' else 'table ' end || o.oid::regclass
    from pg_class o
    where o.relkind in ('r', 'p', 'v', 'S') and ${isForeign('o.relnamespace', 'o.relowner')}
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = o.oid
                      and d.deptype in ('a', 'i', 'e') and o.relkind = 'S')
      and not ${isExtensions('pg_class')}
    union all
    select 'routine ' || o.oid::regprocedure from pg_proc o
    where ${isForeign('o.pronamespace', 'o.proowner')} and not ${isExtensions('pg_proc')}
    union all
    select 'type ' || o.oid::regtype from pg_type o
    where o.typtype in ('e', 'd') and ${isForeign('o.typnamespace', 'o.typowner')} and not ${isExtensions('pg_type')}
  loop
    execute format('alter %s owner to ${roles.owner}', object);
  end loop;
end
$$`;
