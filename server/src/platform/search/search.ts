import type { Queryable } from '../db/database.ts';
import { ReadBudget, rowsOfPiece } from '../db/read-budget.ts';
import { maxAnswerBytes } from '../http/large-json.ts';
import type { Pagination } from './page.ts';
import type { ParsedSearch } from './parse-search.ts';
import { type Scope, searchSql } from './search-sql.ts';
import type { Searchable } from './searchable.ts';

export type Found<Row> = {
  rows: Row[];
  pagination: Pagination;
  /** For the statements that read the rest of the page. */
  budget: ReadBudget;
};

/** The requested page of the rows within the scope; 422 when it is too large to be answered. */
export async function search<Row extends object>(
  db: Queryable,
  searchable: Searchable,
  scope: Scope,
  request: ParsedSearch,
  budget = budgetOf(request),
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
  const rows = await run<Row & { total: number; present: true | null }>(statement, values, budget);
  return {
    rows: rows.filter(({ present }) => present),
    pagination: { ...page, totalEntries: rows[0]?.total ?? 0 },
    budget,
  };
}

function budgetOf({ page }: ParsedSearch): ReadBudget {
  return new ReadBudget(maxAnswerBytes, { inPieces: page.pageSize > rowsOfPiece });
}
