import type { Queryable } from '../../platform/db/database.ts';
import type { Fault, Problem } from '../../platform/http/problem.ts';
import type { Field } from './field.ts';
import { anyCase, type Filter, filterConditions, literal } from './filters.ts';
import { type Page, pageFaults } from './page.ts';
import { type Sorting, sortingTerms } from './sorting.ts';

/** What can be searched: where its rows are, and which fields requests may name. */
export type Searchable = {
  fields: readonly Field[];
  columns: string;
  from: string;
  /** What text without a field is looked for in; of many values (see Field), in any of them. */
  textColumns?: readonly (string | Required<Pick<Field, 'column' | 'anyOf'>>)[];
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

type SearchBody = Omit<SearchRequest, 'page'> & Parameters<typeof pageFaults>[0];

/** What is wrong with the body of a search, beyond its schema. */
export function searchFaults({ fields, textColumns }: Searchable, body: SearchBody): Fault[] {
  const anyText = textColumns && (() => '');
  return [
    ...filterConditions(body.filters ?? [], fields, () => '', anyText).faults,
    ...sortingTerms(body.sorting ?? [], fields).faults,
    ...pageFaults(body),
  ];
}

/** One page of the rows within the scope (conditions on $1, $2…) that the request asks for. */
export async function search<Row extends object>(
  db: Queryable,
  searchable: Searchable,
  scope: { conditions: readonly string[]; values: readonly unknown[] },
  { searchText, filters = [], sorting = [], page }: SearchRequest,
  invalid: (faults: Fault[]) => Problem,
): Promise<Found<Row>> {
  const { fields, columns, from, textColumns, defaultOrder = [], id } = searchable;
  const values: unknown[] = [...scope.values];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const anyText =
    textColumns &&
    ((text: string) => {
      const pattern = bind(`%${literal(text)}%`);
      const matches = textColumns.map((where) =>
        typeof where === 'string'
          ? `${anyCase(where)} ilike ${pattern}`
          : `exists (select ${where.anyOf} and ${anyCase(where.column)} ilike ${pattern})`,
      );
      return `(${matches.join(' or ')})`;
    });
  const { conditions, faults } = filterConditions(filters, fields, bind, anyText);
  const order = sortingTerms(sorting, fields);
  if (faults.length + order.faults.length > 0) throw invalid([...faults, ...order.faults]);
  if (searchText && anyText) conditions.push(anyText(searchText));

  const found = `${from} where ${[...scope.conditions, ...conditions].join(' and ')}`;
  const terms = [...(order.terms.length > 0 ? order.terms : defaultOrder), id];
  // One statement, so that the count and the page are of the same moment.
  const rows = await db.adHoc<Row & { total: number; present: true | null }>(
    `select (select count(*) from ${found}) as total, page.* from (select) one
     left join lateral (
       select true as present, ${columns} from ${found} order by ${terms.join(', ')}
       limit ${bind(page.pageSize)} offset ${bind(page.pageNumber)}::bigint * ${bind(page.pageSize)}::bigint
     ) page on true`,
    values,
  );
  return {
    rows: rows.filter(({ present }) => present),
    pagination: { ...page, totalEntries: rows[0]?.total ?? 0 },
  };
}
