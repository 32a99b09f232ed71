import type { TObject } from 'typebox';
import type { Queryable } from '../platform/db/database.ts';
import type { ReadBudget } from '../platform/db/read-budget.ts';
import type { ProviderRef } from '../platform/http/operation.ts';
import type { Field } from '../platform/search/field.ts';
import { search } from '../platform/search/search.ts';
import type { Searchable } from '../platform/search/searchable.ts';
import type { Events } from './events.ts';

/** A customer of a provider: the values of $1 to $4 in `isCustomer`. */
export type CustomerKey = readonly [
  provider: string,
  countryCode: string,
  providerCode: string,
  id: string,
];

/** In SQL: whether a row of the table `alias` references the customer. */
export function isCustomer(alias: string): string {
  return `${alias}.provider = $1 and ${alias}.customer_country_code = $2
    and ${alias}.customer_provider_code = $3 and ${alias}.customer_id = $4`;
}

/** What a module keeps of a customer, which is personal data. */
export type CustomerData = {
  /** The tables that reference a customer. */
  tables: readonly string[];
  /** What the customer and the provider get to read of it; none where that repeats what other modules have. */
  records?: CustomerRecords;
  /**
   * Removes the customer from at most `limit` records of each table, and all that may describe a person from the same. None
   * where the last step of an erasure does it.
   */
  erase?(tx: Queryable, customer: CustomerKey, batch: ErasureBatch): Promise<ErasedBatch>;
};

export type ErasedBatch = {
  records: number;
  /** Whether the limit was reached: more may be left. */
  isFull: boolean;
};

export type ErasureBatch = {
  limit: number;
  now: Date;
  /** Whether the positions of vehicles while the customer drove them are erased, too. */
  erasesPositions: boolean;
  events: Events;
};

type CustomerRecords = {
  /** Its property in the view and in the export. */
  name: string;
  description: string;
  schema: TObject;
  example: unknown;
  /** The newest of the customer's records, and how many there are, within the budget of all modules. */
  read(
    tx: Queryable,
    provider: ProviderRef,
    customer: CustomerKey,
    limit: number,
    budget: ReadBudget,
  ): Promise<FoundRecords>;
};

/**
 * Each record is made of its row only when it is serialized: all at once hold up other requests. One that may be large is
 * serialized in parts that commas separate.
 */
export type FoundRecords = {
  rows: readonly unknown[];
  itemOf(row: never): unknown;
  partsOf?(item: never): Iterable<string>;
  totalEntries: number;
};

/** The rows of a searchable table `alias` that reference the customer, in its order. */
export async function readOfCustomer<Row extends object>(
  tx: Queryable,
  searchable: Omit<Searchable, 'fields'>,
  alias: string,
  customer: CustomerKey,
  limit: number,
  budget: ReadBudget,
) {
  const fields: readonly Field[] = [];
  const { rows, pagination } = await search<Row>(
    tx,
    { ...searchable, fields },
    { conditions: [isCustomer(alias)], values: customer },
    {
      text: '',
      mode: 'literal',
      filters: [],
      sorting: [],
      page: { pageNumber: 0, pageSize: limit },
    },
    budget,
  );
  return { rows, totalEntries: pagination.totalEntries };
}
