import { filterSql } from './filter-sql.ts';
import type { ParsedSearch, SortingKey } from './parse-search.ts';
import type { Searchable, TextSql } from './searchable.ts';
import { type Bind, comparable, escapeLike, matches } from './text-sql.ts';

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
  { text, mode, filters, sorting }: Omit<ParsedSearch, 'page'>,
): SearchSql {
  const { from, defaultOrder = [], id, textSql = inTextColumns(searchable) } = searchable;
  const values: unknown[] = [...scope.values];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const conditions = filters.map((filter) =>
    filter.field ? filterSql(filter, bind) : textSql(filter.value, mode, bind),
  );
  if (text !== '') conditions.push(textSql(text, mode, bind));
  return {
    found: `${from} where ${[...scope.conditions, ...conditions].join(' and ')}`,
    isNarrowed: conditions.length > 0,
    order: [...(sorting.length > 0 ? sorting.map(sortingTerm) : defaultOrder), id].join(', '),
    values,
    bind,
  };
}

/** The text as a whole, in any of the columns. */
export function inTextColumns({ textColumns = [] }: Pick<Searchable, 'textColumns'>): TextSql {
  return (text, _mode, bind) => {
    const pattern = bind(`%${escapeLike(text)}%`);
    const conditions = textColumns.map((where) =>
      typeof where === 'string'
        ? matches(where, pattern)
        : `exists (select ${where.anyOf} and ${matches(where.column, pattern)})`,
    );
    return `(${conditions.join(' or ')})`;
  };
}

function sortingTerm({ field, direction }: SortingKey): string {
  return `${comparable(field)} ${direction} nulls last`;
}
