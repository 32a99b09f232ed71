import type pg from 'pg';

/**
 * Citus distributes no table that others refer to while they are not distributed, and would fire triggers for the rows
 * that it moves. So foreign keys and triggers are dropped first and created again at the end; until then their
 * definitions are in a table, so that an interrupted run loses none.
 */
export async function setAside(client: pg.Client): Promise<void> {
  await client.query('begin');
  try {
    await client.query(
      'create table if not exists public.set_aside (drops text not null, creates text[] not null, rank int not null)',
    );
    const { rows } = await client.query<{ drops: string }>(`
      insert into public.set_aside (drops, creates, rank) ${definitions}
      returning drops`);
    for (const { drops } of rows) await client.query(drops);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Whether foreign keys and triggers are missing, since a run was interrupted. */
export async function isSetAside(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_class where oid = to_regclass('public.set_aside')`,
  );
  return rows.length > 0;
}

export async function restoreSetAside(client: pg.Client): Promise<void> {
  if (!(await isSetAside(client))) return;
  const { rows } = await client.query<{ creates: string[] }>(
    'select creates from public.set_aside order by rank, creates',
  );
  for (const { creates } of rows) {
    await client.query('begin');
    try {
      // Citus sends the text of a statement to the workers: it must be the only one.
      for (const statement of creates) await client.query(statement);
      await client.query('delete from public.set_aside where creates = $1', [creates]);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }
  await client.query('drop table public.set_aside');
}

function foreignKey(definition: string): string {
  return `format('alter table %s add constraint %I %s', conrelid::regclass, conname, ${definition})`;
}

const columnName = (table: string, number: string) =>
  `(select quote_ident(attname) from pg_attribute where attrelid = ${table} and attnum = ${number})`;

// Citus has no key with the provider whose other columns become null when the row is deleted: a trigger clears them.
const withClearingTrigger = `array[
  ${foreignKey("split_part(pg_get_constraintdef(k.oid), ' ON DELETE', 1)")},
  format('create function %I() returns trigger language plpgsql as %L', 'clear_' || conname,
    format('begin update public.%s set %s where %s; return old; end', conrelid::regclass,
      (select string_agg(${columnName('conrelid', 'cleared')} || ' = null', ', ')
       from unnest(coalesce(confdelsetcols, conkey)) cleared),
      (select string_agg(${columnName('conrelid', 'key')} || ' = old.' || ${columnName('confrelid', 'referred')}, ' and ')
       from unnest(conkey, confkey) pairs (key, referred)))),
  format('create trigger %1$I before delete on %2$s for each row execute function %1$I()', 'clear_' || conname, confrelid::regclass)]`;

const ours = `relnamespace = 'public'::regnamespace and not relispartition`;

const definitions = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname),
    case when confdeltype = 'n' then ${withClearingTrigger} else array[${foreignKey('pg_get_constraintdef(k.oid)')}] end, 1
  from pg_constraint k join pg_class c on c.oid = conrelid where contype = 'f' and ${ours}
  union all
  select format('drop trigger %I on %s', tgname, tgrelid::regclass), array[pg_get_triggerdef(t.oid)], 2
  from pg_trigger t join pg_class c on c.oid = tgrelid where not tgisinternal and ${ours}`;
