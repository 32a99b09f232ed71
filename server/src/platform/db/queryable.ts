import type pg from 'pg';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Lookup } from './lookup-batcher.ts';
import type { ReadBudget } from './read-budget.ts';

export type Queryable = {
  /** Prepared once per connection: for statements whose text does not vary. */
  query<Row>(text: string, values?: readonly unknown[], budget?: ReadBudget): Promise<Row[]>;
  /** The row of a lookup; outside of a transaction, batched with other lookups of the same statement. */
  lookup<Row extends object>(lookup: Lookup, values: readonly unknown[]): Promise<Row | undefined>;
  /** Parsed each time: for statements whose text depends on the request, which must not accumulate. */
  queryUnprepared<Row>(
    text: string,
    values?: readonly unknown[],
    budget?: ReadBudget,
  ): Promise<Row[]>;
  /** For the statements of libraries: the result has the driver's column types. */
  rawQuery(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  /** Seals and opens the secrets of the database, which are stored encrypted. */
  secrets: SecretBox;
  /** Whether the rows of providers are on several servers (docs/decisions/0070-a-sharded-database.md). */
  isSharded: boolean;
};
