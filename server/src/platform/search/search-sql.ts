import { type Bind, filterSql } from './filter-sql.ts';
import type { ParsedSearch, SortingKey } from './parse-search.ts';
import type { Searchable } from './searchable.ts';
import { comparable, escapeLike, withUnicodeCase } from './text-sql.ts';

export type SearchSql = {
  /** `from` and `where`. */
  found: string;
  /** Whether a text or a filter narrows the scope. */
  isNarrowed: boolean;
  /** The order, with the last key that makes it total. */
  order: string;
  values: unknown[];
  bind: Bind;
};

/** Which rows a request may see: conditions on $1, $2…, and their values. */
export type Scope = { conditions: readonly string[]; values: readonly unknown[] };

/** The SQL of a search within the scope. */
export function searchSql(
  searchable: Searchable,
  scope: Scope,
  { text, filters, sorting }: Omit<ParsedSearch, 'page'>,
): SearchSql {
  const { from, defaultOrder = [], id } = searchable;
  const values: unknown[] = [...scope.values];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = filters.map((filter) =>
    filter.field ? filterSql(filter, bind) : textSql(searchable, filter.value, bind),
  );
  if (text !== '') conditions.push(textSql(searchable, text, bind));
  return {
    found: `${from} where ${[...scope.conditions, ...conditions].join(' and ')}`,
    isNarrowed: conditions.length > 0,
    order: [...(sorting.length > 0 ? sorting.map(sortingTerm) : defaultOrder), id].join(', '),
    values,
    bind,
  };
}

function textSql({ textColumns = [], textLines }: Searchable, text: string, bind: Bind): string {
  const pattern = bind(`%${escapeLike(text)}%`);
  // A text of several lines could match across two columns.
  if (textLines !== undefined && !text.includes('\n')) return `${textLines} like lower(${pattern})`;
  const matches = textColumns.map((where) =>
    typeof where === 'string'
      ? `${withUnicodeCase(where)} ilike ${pattern}`
      : `exists (select ${where.anyOf} and ${withUnicodeCase(where.column)} ilike ${pattern})`,
  );
  return `(${matches.join(' or ')})`;
}

function sortingTerm({ field, direction }: SortingKey): string {
  return `${comparable(field)} ${direction} nulls last`;
}
