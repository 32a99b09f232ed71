import type pg from 'pg';

/**
 * The schema as SQL for reading, from the catalogue: the same from PostgreSQL 15 to 18, which pg_dump is not.
 * Without partitions, and without the not-null constraints that PostgreSQL 18 lists as objects of their own.
 */
export async function describeSchema(client: pg.Client): Promise<string> {
  const list = async (query: string): Promise<string[]> =>
    (await client.query<{ text: string }>(query)).rows.map(({ text }) => text);
  const blocks = [
    ...(await list(extensions)),
    ...(await list(collations)),
    ...(await list(functions)),
    ...(await list(tables)),
    ...(await list(triggers)),
  ];
  return `${blocks.map((block) => `${block};`).join('\n\n')}\n`;
}

const byName = (name: string) => `order by ${name} collate "C"`;
const isOurs = (namespace: string) => `${namespace} = 'public'::regnamespace`;
/** Objects that belong to an extension. */
const isExtensions = (catalogue: string, oid: string) => `exists (
  select from pg_depend d where d.classid = '${catalogue}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

const extensions = `
  select 'create extension ' || extname as text from pg_extension where extname <> 'plpgsql' ${byName('extname')}`;

// The version is the server's.
const collations = `
  select 'create collation ' || quote_ident(c.collname) || ' (provider = icu, locale = '
    || quote_literal(coalesce(to_jsonb(c) ->> 'colllocale', to_jsonb(c) ->> 'colliculocale'))
    || ', deterministic = ' || c.collisdeterministic || ')' as text
  from pg_collation c where ${isOurs('c.collnamespace')} ${byName('c.collname')}`;

const functions = `
  select rtrim(pg_get_functiondef(p.oid), e'\\n') as text from pg_proc p
  where ${isOurs('p.pronamespace')} and not ${isExtensions('pg_proc', 'p.oid')} ${byName('p.proname')}`;

const columns = `
  select '  ' || quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
    || case when a.attcollation <> t.typcollation then ' collate ' || quote_ident(l.collname) else '' end
    || case when a.attnotnull then ' not null' else '' end
    || case
      when d.oid is null then ''
      when a.attgenerated = 's' then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid, true) || ') stored'
      else ' default ' || pg_get_expr(d.adbin, d.adrelid, true)
    end as line, 0 as kind, lpad(a.attnum::text, 5, '0') as sort_key
  from pg_attribute a
  join pg_type t on t.oid = a.atttypid
  left join pg_collation l on l.oid = a.attcollation
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped`;

const constraints = `
  select '  constraint ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid, true) as line,
    case k.contype when 'p' then 1 when 'u' then 2 when 'f' then 3 else 4 end as kind, k.conname::text as sort_key
  from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')`;

const indexes = `
  select string_agg(e';\\n' || pg_get_indexdef(i.indexrelid, 0, true), '' ${byName('x.relname')})
  from pg_index i join pg_class x on x.oid = i.indexrelid
  where i.indrelid = c.oid and not exists (
    select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))`;

const tables = `
  select 'create table ' || quote_ident(c.relname) || e' (\\n'
    || (
      select string_agg(line, e',\\n' order by kind, sort_key collate "C")
      from (${columns} union all ${constraints}) as lines
    ) || e'\\n)'
    || coalesce(' partition by ' || pg_get_partkeydef(c.oid), '')
    || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '')
    || coalesce((${indexes}), '') as text
  from pg_class c
  where c.relkind in ('r', 'p') and not c.relispartition and ${isOurs('c.relnamespace')}
    and not ${isExtensions('pg_class', 'c.oid')}
  ${byName('c.relname')}`;

const triggers = `
  select pg_get_triggerdef(g.oid, true) as text
  from pg_trigger g join pg_class c on c.oid = g.tgrelid
  where not g.tgisinternal and not c.relispartition and ${isOurs('c.relnamespace')} ${byName('g.tgname')}, c.relname collate "C"`;
