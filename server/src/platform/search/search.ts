import type { Queryable } from '../db/database.ts';
import type { Problem, ValidationIssue } from '../http/problem.ts';
import type { Field } from './field.ts';
import { anyCase, type Bind, type Filter, filterConditions, literal } from './filters.ts';
import { type Page, pageIssues } from './page.ts';
import { type Sorting, type SortingKey, sortingKeys, sortingTerm } from './sorting.ts';

/** What can be searched: where its rows are, and which fields requests may name. */
export type Searchable = {
  fields: readonly Field[];
  columns: string;
  from: string;
  /** What text without a field is looked for in; of many values (see Field), in any of them. */
  textColumns?: readonly (string | Required<Pick<Field, 'column' | 'anyOf'>>)[];
  /** A column that has them all in lower case, a line each, where there is one with an index. */
  textLines?: string;
  /** The order when none is asked for. */
  defaultOrder?: readonly string[];
  /** Makes every order total; no row has it null. */
  id: string;
};

export type SearchRequest = {
  searchText?: string | undefined;
  filters?: readonly Filter[] | undefined;
  sorting?: readonly Sorting[] | undefined;
  page: Page;
};

export type Found<Row> = {
  rows: Row[];
  pagination: Page & { totalEntries: number };
};

type SearchBody = Omit<SearchRequest, 'page'> & Parameters<typeof pageIssues>[0];

/** What is wrong with the body of a search, beyond its schema. */
export function searchIssues(
  { fields, textColumns }: Searchable,
  body: SearchBody,
): ValidationIssue[] {
  const anyText = textColumns && (() => '');
  return [
    ...filterConditions(body.filters ?? [], fields, () => '', anyText).issues,
    ...sortingKeys(body.sorting ?? [], fields).issues,
    ...pageIssues(body),
  ];
}

/** What a search asks of the database. */
export type SearchSql = {
  /** `from` and `where`. */
  found: string;
  /** Whether a text or a filter narrows the scope. */
  isNarrowed: boolean;
  keys: SortingKey[];
  /** The order, with the last key that makes it total. */
  order: string;
  values: unknown[];
  bind: Bind;
};

/** The SQL of a request within the scope (conditions on $1, $2…). */
export function searchSql(
  searchable: Searchable,
  scope: { conditions: readonly string[]; values: readonly unknown[] },
  { searchText, filters = [], sorting = [] }: Omit<SearchRequest, 'page'>,
  invalid: (issues: ValidationIssue[]) => Problem,
): SearchSql {
  const { fields, from, defaultOrder = [], id } = searchable;
  const values: unknown[] = [...scope.values];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const anyText = searchable.textColumns && ((text: string) => textMatch(searchable, text, bind));
  const { conditions, issues } = filterConditions(filters, fields, bind, anyText);
  const { keys, issues: keyIssues } = sortingKeys(sorting, fields);
  if (issues.length + keyIssues.length > 0) throw invalid([...issues, ...keyIssues]);
  if (searchText && anyText) conditions.push(anyText(searchText));
  return {
    found: `${from} where ${[...scope.conditions, ...conditions].join(' and ')}`,
    isNarrowed: conditions.length > 0,
    keys,
    order: [...(keys.length > 0 ? keys.map(sortingTerm) : defaultOrder), id].join(', '),
    values,
    bind,
  };
}

function textMatch({ textColumns = [], textLines }: Searchable, text: string, bind: Bind): string {
  const pattern = bind(`%${literal(text)}%`);
  // A text of several lines could begin in one column and end in another.
  if (textLines !== undefined && !text.includes('\n')) return `${textLines} like lower(${pattern})`;
  const matches = textColumns.map((where) =>
    typeof where === 'string'
      ? `${anyCase(where)} ilike ${pattern}`
      : `exists (select ${where.anyOf} and ${anyCase(where.column)} ilike ${pattern})`,
  );
  return `(${matches.join(' or ')})`;
}

/** One page of the rows within the scope that the request asks for. */
export async function search<Row extends object>(
  db: Queryable,
  searchable: Searchable,
  scope: { conditions: readonly string[]; values: readonly unknown[] },
  { page, ...request }: SearchRequest,
  invalid: (issues: ValidationIssue[]) => Problem,
): Promise<Found<Row>> {
  const sql = searchSql(searchable, scope, request, invalid);
  const { found, isNarrowed, keys, order, values, bind } = sql;
  // One statement, so that the count and the page are of the same moment.
  const statement = `
    select (select count(*) from ${found}) as total, page.* from (select) one
    left join lateral (
      select true as present, ${searchable.columns} from ${found} order by ${order}
      limit ${bind(page.pageSize)} offset ${bind(page.pageNumber)}::bigint * ${bind(page.pageSize)}::bigint
    ) page on true`;
  // Without a wish, the text is the same for all requests.
  const run = isNarrowed || keys.length > 0 ? db.queryUnprepared : db.query;
  const rows = await run<Row & { total: number; present: true | null }>(statement, values);
  return {
    rows: rows.filter(({ present }) => present),
    pagination: { ...page, totalEntries: rows[0]?.total ?? 0 },
  };
}
