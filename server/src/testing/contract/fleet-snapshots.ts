import type { Queryable } from '../../platform/db/database.ts';
import { type Column, fleetTables } from './fleet-tables.ts';

/** Copies of the records of providers, kept in a schema of their own. */
export async function fleetSnapshots(db: Queryable, schema: string) {
  const tables = await fleetTables(db);
  const run = (statements: string[]) => db.queryUnprepared(statements.join(';'));
  const kept = (as: string, table: string) => `${schema}."${as} ${table}"`;
  await run([`create schema ${schema}`]);

  return {
    /** Deletes the records of all providers. */
    async clear(): Promise<void> {
      await run(tables.map(({ name }) => `delete from ${name}`).reverse());
      // Each delete of a vehicle has made a version.
      await run(['delete from fleet_versions']);
    },

    async take(as: string, provider: string): Promise<void> {
      await run(
        tables.flatMap(({ name }) => [
          `drop table if exists ${kept(as, name)}`,
          `create table ${kept(as, name)} as select * from ${name} where provider = '${provider}'`,
        ]),
      );
    },

    /** Adds the records to those of the provider, whoever they were taken from. */
    async restore(as: string, provider: string): Promise<void> {
      await run(
        tables.map(({ name, columns }) => {
          const list = columns.filter(({ generated }) => !generated).map((column) => column.name);
          const values = list.map((column) => (column === 'provider' ? `'${provider}'` : column));
          return `insert into ${name} (${list}) overriding system value select ${values} from ${kept(as, name)}`;
        }),
      );
    },

    /** Gives the provider's records other content, so that an answer with any of it is not the right one. */
    async alter(provider: string, { flags }: { flags: boolean }): Promise<void> {
      for (const { name, columns } of tables) {
        for (const column of columns) {
          const value = otherValue(column, flags);
          if (!value) continue;
          const statement = `update ${name} set ${column.name} = ${value} where provider = '${provider}'`;
          await db.queryUnprepared(statement).catch((error: { code?: string }) => {
            // One of a few words, or bound to another column: it stays as it is.
            if (!/^23/.test(error.code ?? '')) throw error;
          });
        }
      }
    },

    /** The records of all providers as JSON, without what counts up by itself. */
    async rows(): Promise<{ provider: string; row: string }[]> {
      const selects = tables.map(({ name, columns }) => {
        const counters = columns.filter(({ identity }) => identity).map((column) => column.name);
        return `
          select provider, '${name} ' || (to_jsonb(t) - '{${counters}}'::text[])::text as row
          from ${name} t`;
      });
      return db.query(selects.join(' union all '));
    },
  };
}

const changes: Record<string, string> = {
  text: "|| ' of another'",
  float8: '+ 1',
  int4: '+ 1',
  int8: '+ 1',
  date: '+ 1',
  timestamptz: "+ interval '1 minute'",
};

function otherValue(column: Column, flags: boolean): string | undefined {
  const { name, type, generated, identity, isKey } = column;
  if (generated || identity || isKey) return undefined;
  if (type === 'bool') return flags ? `not ${name}` : undefined;
  const change = changes[type];
  return change && `${name} ${change}`;
}
