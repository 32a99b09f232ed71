import type pg from 'pg';
import { UserError } from '../user-error.ts';

/** Tables that the service's role reads and extends, and never changes. */
const appendOnlyTables: readonly string[] = ['audit_events', 'audit_seals'];

const readOnlyTables = ['schema_migrations', 'audited_tables', 'event_sources'];

type Privilege = { kind: string; name: string; privilege: string; granted: boolean };

/**
 * Grants the service's role what it needs of all that the owner has, and takes away what it does not: nothing but
 * reading and writing rows (docs/decisions/0030-database-roles-and-secrets.md). Runs after every migration.
 */
export async function grantPrivileges(
  owner: pg.Client,
  role: string,
  appendOnly: readonly string[] = appendOnlyTables,
): Promise<void> {
  const isWanted = ({ kind, name, privilege }: Privilege) => {
    if (kind !== 'table') return wanted[kind]?.includes(privilege) ?? false;
    if (readOnlyTables.includes(name)) return privilege === 'select';
    if (appendOnly.includes(name)) return ['select', 'insert'].includes(privilege);
    return ['select', 'insert', 'update', 'delete'].includes(privilege);
  };
  const wrong = async () =>
    (await owner.query<Privilege>(privileges, [role])).rows.filter(
      (one) => one.granted !== isWanted(one),
    );
  const grantee = owner.escapeIdentifier(role);
  for (const { kind, name, privilege, granted } of await wrong())
    await owner.query(
      granted
        ? `revoke ${privilege} on ${kind} ${name} from ${grantee}, public`
        : `grant ${privilege} on ${kind} ${name} to ${grantee}`,
    );
  const [left] = await wrong();
  if (left) {
    throw new UserError(
      `DATABASE_URL: the role ${role} ${left.granted ? 'has' : 'lacks'} the privilege ${left.privilege} on ` +
        `${left.kind} ${left.name}, and DATABASE_OWNER_URL’s cannot change that: make that one the owner of it.`,
    );
  }
}

const wanted: Record<string, string[]> = {
  schema: ['usage'],
  sequence: ['usage', 'select'],
  routine: ['execute'],
};

const isOwned = (owner: string) => `pg_has_role(${owner}, 'usage')`;
const ours = `select oid from pg_namespace where nspname in ('public', 'pgboss')`;

// Without the partitions of our tables, which are reached through their parents. Those of the queue are named by it.
const privileges = `
  select 'schema' as kind, quote_ident(n.nspname) as name, privilege, has_schema_privilege($1, n.oid, privilege) as granted
  from pg_namespace n, unnest(array['usage', 'create']) privilege where n.oid in (${ours})
  union all
  select 'table', c.oid::regclass::text, privilege, has_table_privilege($1, c.oid, privilege)
  from pg_class c, unnest(array['select', 'insert', 'update', 'delete', 'truncate', 'references', 'trigger']) privilege
  where c.relnamespace in (${ours}) and c.relkind in ('r', 'p', 'v') and ${isOwned('c.relowner')}
    and not (c.relispartition and c.relnamespace = 'public'::regnamespace)
  union all
  select 'sequence', c.oid::regclass::text, privilege, has_sequence_privilege($1, c.oid, privilege)
  from pg_class c, unnest(array['usage', 'select']) privilege
  where c.relnamespace in (${ours}) and c.relkind = 'S' and ${isOwned('c.relowner')}
  union all
  select 'routine', p.oid::regprocedure::text, 'execute', has_function_privilege($1, p.oid, 'execute')
  from pg_proc p where p.pronamespace in (${ours}) and ${isOwned('p.proowner')}`;
