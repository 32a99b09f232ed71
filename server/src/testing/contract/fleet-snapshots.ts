import type { Queryable } from '../../platform/db/database.ts';
import { type Column, fleetTables, type Table } from './fleet-tables.ts';

export type FleetSnapshots = Awaited<ReturnType<typeof fleetSnapshots>>;

/** Copies of the records of providers, kept in a schema of their own. */
export async function fleetSnapshots(db: Queryable, schema: string) {
  const tables = await fleetTables(db);
  const run = (statements: string[]) => db.queryUnprepared(statements.join(';'));
  await run([`create schema ${schema}`]);

  return {
    /** Deletes the records of all providers. */
    async clear(): Promise<void> {
      await run(tables.map(({ name }) => `delete from ${name}`).reverse());
    },

    async take(as: string, provider: string): Promise<void> {
      await run(
        tables.flatMap(({ name }) => [
          `drop table if exists ${schema}.${as}_${name}`,
          `create table ${schema}.${as}_${name} as select * from ${name} where provider = '${provider}'`,
        ]),
      );
    },

    /** Adds the records to those of the provider, whoever they were taken from. */
    async restore(as: string, provider: string): Promise<void> {
      await run(
        tables.map(({ name, columns }) => {
          const list = columns.filter(({ generated }) => !generated).map((column) => column.name);
          const values = list.map((column) => (column === 'provider' ? `'${provider}'` : column));
          return `insert into ${name} (${list}) overriding system value select ${values} from ${schema}.${as}_${name}`;
        }),
      );
    },

    /**
     * Gives the provider's records other content, so that an answer with any of it is not the right one. Flags are
     * turned in what the snapshot has as well; the rest is still found by what its records are found by.
     */
    async alter(snapshot: string, provider: string): Promise<void> {
      for (const table of tables) {
        for (const column of table.columns) {
          const change = changeOf(table, column, `${schema}.${snapshot}_${table.name}`);
          if (!change) continue;
          const statement = `update ${table.name} t set ${change} and t.provider = '${provider}'`;
          await db.queryUnprepared(statement).catch((error: { code?: string }) => {
            // One of a few words, or bound to another column: it stays as it is.
            if (!/^23/.test(error.code ?? '')) throw error;
          });
        }
      }
    },

    /** The records of the provider as JSON, without what counts up by itself. */
    async rows(provider: string): Promise<string[]> {
      const selects = tables.map(({ name, columns }) => {
        const counters = columns.filter(({ identity }) => identity).map((column) => column.name);
        return `
          select '${name} ' || (to_jsonb(t) - '{${counters}}'::text[])::text as row
          from ${name} t where provider = $1`;
      });
      const found = await db.query<{ row: string }>(selects.join(' union all '), [provider]);
      return found.map(({ row }) => row);
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

function changeOf({ key }: Table, column: Column, snapshot: string): string | undefined {
  const { name, type, generated, identity, isKey } = column;
  if (generated || identity || isKey) return undefined;
  if (type === 'bool') {
    const isTwin = key.map((one) => `own.${one} = t.${one}`).join(' and ');
    return `${name} = not t.${name} where exists (select from ${snapshot} own where ${isTwin})`;
  }
  const change = changes[type];
  return change && `${name} = t.${name} ${change} where true`;
}
