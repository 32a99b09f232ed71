import type { Queryable } from '../../platform/db/database.ts';
import { type Column, fleetTables } from './fleet-tables.ts';

/** Copies of the records of providers, in a separate schema. */
export async function fleetSnapshots(db: Queryable, schema: string) {
  const tables = await fleetTables(db);
  // Copies are no changes of records.
  const withoutEvents = `select set_config('motorpool.events', 'off', true)`;
  const run = (statements: string[]) =>
    db.queryUnprepared([withoutEvents, ...statements].join(';'));
  const snapshotTable = (as: string, table: string) => `${schema}."${as} ${table}"`;
  await run([`create schema ${schema}`]);

  return {
    /** Deletes the records of all providers. */
    async clear(): Promise<void> {
      await run(tables.map(({ name, where }) => `delete from ${name} where ${where}`).reverse());
      // Deleting a vehicle creates a version.
      await run(['delete from fleet_versions']);
    },

    async take(as: string, provider: string): Promise<void> {
      await run(
        tables.flatMap(({ name, where }) => [
          `drop table if exists ${snapshotTable(as, name)}`,
          `create table ${snapshotTable(as, name)} as select * from ${name} where provider = '${provider}' and ${where}`,
        ]),
      );
    },

    /** Inserts the records of a snapshot as the provider's. */
    async restore(as: string, provider: string): Promise<void> {
      await run(
        tables.map(({ name, columns }) => {
          const list = columns.filter(({ generated }) => !generated).map((column) => column.name);
          const values = list.map((column) => (column === 'provider' ? `'${provider}'` : column));
          return `insert into ${name} (${list}) overriding system value select ${values} from ${snapshotTable(as, name)}`;
        }),
      );
    },

    /** Changes the content of the provider's records, so that no correct answer contains it. */
    async alter(provider: string, { flags }: { flags: boolean }): Promise<void> {
      for (const { name, columns, where } of tables) {
        for (const column of columns) {
          const value = otherValue(column, flags);
          if (!value) continue;
          const statement = `update ${name} set ${column.name} = ${value} where provider = '${provider}' and ${where}`;
          await run([statement]).catch((error: { code?: string }) => {
            // A constraint forbids the value: it stays unchanged.
            if (!/^23/.test(error.code ?? '')) throw error;
          });
        }
      }
    },

    /** The records of all providers as JSON, without what differs each time: counters and ciphertexts. */
    async rows(): Promise<{ provider: string; row: string }[]> {
      const selects = tables.map(({ name, columns, where }) => {
        const random = columns
          .filter(({ identity, type }) => identity || type === 'bytea')
          .map((column) => column.name);
        return `
          select provider, '${name} ' || (to_jsonb(t) - '{${random}}'::text[])::text as row
          from ${name} t where ${where}`;
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
  jsonb: `|| '{"fromLevel": 1}'`,
  timestamptz: "+ interval '1 minute'",
};

function otherValue(column: Column, flags: boolean): string | undefined {
  const { name, type, generated, identity, isKey } = column;
  if (generated || identity || isKey) return undefined;
  if (type === 'bool') return flags ? `not ${name}` : undefined;
  const change = changes[type];
  return change && `${name} ${change}`;
}
