import type { Queryable } from '../db/database.ts';
import type { Page } from './page.ts';
import type { ParsedSearch } from './parse-search.ts';
import { type Scope, searchSql } from './search-sql.ts';
import type { Searchable } from './searchable.ts';

export type Found<Row> = {
  rows: Row[];
  pagination: Page & { totalEntries: number };
};

/** The requested page of the rows within the scope. */
export async function search<Row extends object>(
  db: Queryable,
  searchable: Searchable,
  scope: Scope,
  request: ParsedSearch,
): Promise<Found<Row>> {
  const { page, sorting } = request;
  const { found, isNarrowed, order, values, bind } = searchSql(searchable, scope, request);
  // One statement, so that the count and the page are of one snapshot.
  const statement = `
    select (select count(*) from ${found}) as total, page.* from (select) one
    left join lateral (
      select true as present, ${searchable.columns} from ${found} order by ${order}
      limit ${bind(page.pageSize)} offset ${bind(page.pageNumber)}::bigint * ${bind(page.pageSize)}::bigint
    ) page on true`;
  // Without conditions and sorting, the text is the same for all requests.
  const run = isNarrowed || sorting.length > 0 ? db.queryUnprepared : db.query;
  const rows = await run<Row & { total: number; present: true | null }>(statement, values);
  return {
    rows: rows.filter(({ present }) => present),
    pagination: { ...page, totalEntries: rows[0]?.total ?? 0 },
  };
}
