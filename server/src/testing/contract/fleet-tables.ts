import type { Queryable } from '../../platform/db/database.ts';

export type Table = {
  name: string;
  columns: Column[];
  /** Which of its rows are records: not those of the demo, by which the tests get their tokens. */
  where: string;
};

export type Column = {
  name: string;
  type: string;
  generated: boolean;
  identity: boolean;
  /** Part of the primary key, or of a reference to another table. */
  isKey: boolean;
};

// The keys are not administered by requests; the version derives from the vehicles.
const excludedTables = ['realm_keys', 'fleet_versions'];

// By these, the library finds the records of a session.
const keyColumns = ['uid', 'grant_id'];

/** All tables of providers' records, each after those that it references. */
export async function fleetTables(db: Queryable): Promise<Table[]> {
  const rows = await db.query<Table & { refers: string[] }>(selectTables, [
    excludedTables,
    keyColumns,
  ]);
  const sorted: Table[] = [];
  for (let waiting = rows; waiting.length > 0; ) {
    const ready = waiting.filter(({ refers }) =>
      waiting.every(({ name }) => !refers.includes(name)),
    );
    if (ready.length === 0) throw new Error('tables refer to each other in a circle');
    sorted.push(...ready);
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return sorted;
}

const selectTables = `
  select c.relname as name,
    (select json_agg(json_build_object(
       'name', a.attname, 'type', t.typname, 'generated', a.attgenerated <> '',
       'identity', a.attidentity <> '' or exists (
         select from pg_attrdef d where d.adrelid = a.attrelid and d.adnum = a.attnum
           and pg_get_expr(d.adbin, d.adrelid) like 'nextval(%'
       ), 'isKey', a.attname = any($2) or exists (
         select from pg_constraint k
         where k.conrelid = c.oid and k.contype in ('p', 'f') and a.attnum = any(k.conkey)
       )
     ) order by a.attnum) filter (where a.attname <> 'demo')
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    case when exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'demo')
      then 'not demo' else 'true' end as "where",
    (select coalesce(json_agg(k.confrelid::regclass::text), '[]')
     from pg_constraint k
     where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname <> all($1)
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'provider')
  order by c.relname`;
