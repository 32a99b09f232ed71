import type { Database, Queryable } from '../../platform/db/database.ts';
import { type Column, fleetTables, type Table } from './fleet-tables.ts';

export type FleetSnapshots = Awaited<ReturnType<typeof fleetSnapshots>>;
export type FleetRow = { name: string; provider: string; row: string };
/** A snapshot, and the provider whose records it becomes. */
export type Copy = { as: string; provider: string };

/** Copies of the records of providers, in a separate schema. */
export async function fleetSnapshots(db: Database, schema: string) {
  const tables = await fleetTables(db);
  const names = tables.map(({ name }) => name);
  const run = (statements: string[]) => db.queryUnprepared(statements.join(';'));
  // Copies are no changes of records.
  const withoutEvents = `set local motorpool.events = 'off'`;
  const snapshotTable = (as: string, table: string) => `${schema}."${as} ${table}"`;
  await run([`create schema ${schema}`]);

  return {
    names,

    /** Replaces the records of all providers in these tables, without triggers and checks. */
    async restore(copies: readonly Copy[], only: readonly string[] = names): Promise<void> {
      const replaced = tables.filter(({ name }) => only.includes(name));
      const statements = [
        'set local session_replication_role = replica',
        ...replaced.flatMap((table) => [
          `delete from ${table.name} where ${table.where}`,
          ...copies.map(({ as, provider }) =>
            insertInto(table, provider, snapshotTable(as, table.name)),
          ),
        ]),
        'delete from fleet_versions',
        'insert into fleet_versions (provider, version) select provider, gen_random_uuid() from (select distinct provider from vehicles) v',
      ];
      await db.transaction((tx) => executeAll(tx, statements));
    },

    async take(as: string, provider: string): Promise<void> {
      await run(
        tables.map(
          ({ name, where }) =>
            `create table ${snapshotTable(as, name)} as select * from ${name} where provider = '${provider}' and ${where}`,
        ),
      );
    },

    /** Snapshots as JSON, for another database, with the names of the providers and the state of all sequences. */
    async dump(taken: readonly string[]): Promise<string> {
      const members = taken.flatMap((as) =>
        names.map(
          (name) =>
            `select '${as} ${name}' as key, coalesce(json_agg(t), '[]') as value from ${snapshotTable(as, name)} t`,
        ),
      );
      members.push(
        `select 'providers', json_agg(p) from providers p`,
        `select 'sequences', json_agg(s) from (
           select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value as value
           from pg_sequences where schemaname = 'public' and last_value is not null) s`,
      );
      const [dumped] = await db.query<{ json: string }>(
        `select json_object_agg(key, value)::text as json from (${members.join(' union all ')}) m (key, value)`,
      );
      return dumped?.json ?? '';
    },

    async load(taken: readonly string[], json: string): Promise<void> {
      await run([`create table ${schema}.dumped (snapshots jsonb)`]);
      await db.query(`insert into ${schema}.dumped values ($1)`, [json]);
      await run([
        ...taken.flatMap((as) =>
          names.map(
            (name) =>
              `create table ${snapshotTable(as, name)} as select t.* from ${schema}.dumped,
               jsonb_populate_recordset(null::${name}, snapshots -> '${as} ${name}') t`,
          ),
        ),
        `update providers p set name = d.name from ${schema}.dumped,
           jsonb_populate_recordset(null::providers, snapshots -> 'providers') d where p.id = d.id`,
        `select setval(s.name::regclass, s.value) from ${schema}.dumped,
           jsonb_to_recordset(snapshots -> 'sequences') s (name text, value bigint)`,
      ]);
    },

    /** Changes the content of the provider's records, so that no correct answer contains it. */
    async alter(provider: string, { flags }: { flags: boolean }): Promise<void> {
      for (const { name, columns, where } of tables) {
        for (const column of columns) {
          const value = otherValue(column, flags);
          if (!value) continue;
          const statement = `update ${name} set ${column.name} = ${value} where provider = '${provider}' and ${where}`;
          await db
            .transaction((tx) => executeAll(tx, [withoutEvents, statement]))
            .catch((error: { code?: string }) => {
              // A constraint forbids the value: it stays unchanged.
              if (!/^23/.test(error.code ?? '')) throw error;
            });
        }
      }
    },

    /** A version of each table that every write changes: a row that is written has a greater xmin than all before it. */
    async versions(): Promise<Map<string, string>> {
      const rows = await db.query<{ name: string; version: string }>(
        tables
          .map(
            ({ name, where }) =>
              `select '${name}' as name, count(*) || ' ' || coalesce(sum(xmin::text::int8), 0) as version from ${name} where ${where}`,
          )
          .join(' union all '),
      );
      return new Map(rows.map(({ name, version }) => [name, version]));
    },

    /** The records of all providers as JSON, without what differs each time: counters and ciphertexts. */
    async rows(only: readonly string[] = names): Promise<FleetRow[]> {
      if (only.length === 0) return [];
      const selects = tables
        .filter(({ name }) => only.includes(name))
        .map(({ name, columns, where }) => {
          const random = columns
            .filter(({ name, identity, type }) => identity || type === 'bytea' || isSealed(name))
            .map((column) => column.name);
          return `
            select '${name}' as name, provider, '${name} ' || (to_jsonb(t) - '{${random}}'::text[])::text as row
            from ${name} t where ${where}`;
        });
      return db.queryUnprepared(selects.join(' union all '));
    },
  };
}

/** At once, where it is one server: Citus sends the whole text of a setting to the workers. */
async function executeAll(tx: Queryable, statements: readonly string[]): Promise<void> {
  for (const text of tx.isSharded ? statements : [statements.join(';')])
    await tx.queryUnprepared(text);
}

const isSealed = (column: string) => /^(previous_)?sealed_/.test(column);

function insertInto({ name, columns }: Table, provider: string, from: string): string {
  const list = columns.filter(({ generated }) => !generated).map((column) => column.name);
  const values = list.map((column) => (column === 'provider' ? `'${provider}'` : column));
  return `insert into ${name} (${list}) overriding system value select ${values} from ${from}`;
}

// Immutable ones, as Citus wants in an update.
const changes: Record<string, (value: string) => string> = {
  text: (value) => `${value} || ' of another'`,
  float8: (value) => `${value} + 1`,
  int4: (value) => `${value} + 1`,
  int8: (value) => `${value} + 1`,
  date: (value) => `${value} + 1`,
  jsonb: (value) => `${value} || '{"fromLevel": 1}'`,
  timestamptz: (value) => `(${value} at time zone 'UTC' + interval '1 minute') at time zone 'UTC'`,
};

function otherValue(column: Column, flags: boolean): string | undefined {
  const { name, type, generated, identity, isKey } = column;
  if (generated || identity || isKey) return undefined;
  if (type === 'bool') return flags ? `not ${name}` : undefined;
  return changes[type]?.(name);
}
