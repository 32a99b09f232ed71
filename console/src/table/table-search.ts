import type { Filter, Sorting } from '@motorpool/client';

/** What a table shows, as its address has it. */
export type TableSearch = {
  /** Words that are looked for. */
  q?: string;
  /** Each as `field:operator:value`. */
  filter?: string[];
  /** Fields in order, a minus before those that descend: `-status.odometer,information.vendor`. */
  sort?: string;
  page?: number;
  size?: number;
  /** The ids of the columns in order; those of the page when left out. */
  columns?: string;
  /** The id of the saved view that it began with. */
  view?: string;
};

export const pageSizes = [25, 50, 100];
export const defaultPageSize = 50;

export type FieldType = 'text' | 'number' | 'boolean' | 'date' | 'time' | 'choice';
export type Operator = NonNullable<Filter['operator']>;

/** Those that make sense for a type, the usual one first. */
export const operatorsOf: Record<FieldType, readonly Operator[]> = {
  text: ['contains', 'eq', 'ne', 'startsWith', 'in', 'exists'],
  number: ['gte', 'lte', 'eq', 'exists'],
  boolean: ['eq', 'exists'],
  date: ['gte', 'lte', 'eq', 'exists'],
  time: ['gte', 'lte', 'exists'],
  choice: ['eq', 'ne'],
};

/** All of the interface, and whether they take a list; views that programs have saved may have any. */
export const takesList: Record<Operator, boolean> = {
  eq: false,
  ne: false,
  lt: false,
  lte: false,
  gt: false,
  gte: false,
  in: true,
  notIn: true,
  contains: false,
  startsWith: false,
  exists: false,
};

/** One without a field looks for text, and contains it. */
export type FieldFilter = { field: string; operator: Operator; value: string };

/** Of what somebody may have typed into the address, what can be meant. */
export function parseTableSearch(search: Record<string, unknown>): TableSearch {
  const { q, filter, sort, page, size, columns, view } = search;
  return {
    // The address has words that look like numbers as numbers.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
    ...(Array.isArray(filter) && filter.length > 0 && { filter: filter.map(String) }),
    ...(typeof sort === 'string' && sort !== '' && { sort }),
    ...(Number.isInteger(page) && Number(page) > 0 && { page: Number(page) }),
    ...(pageSizes.includes(Number(size)) && { size: Number(size) }),
    ...(typeof columns === 'string' && columns !== '' && { columns }),
    ...(typeof view === 'string' && view !== '' && { view }),
  };
}

export function parseFilter(text: string): FieldFilter | undefined {
  const [, field = '', operator = '', value = ''] = /^([^:]*):([a-zA-Z]+):(.*)$/s.exec(text) ?? [];
  if (!Object.hasOwn(takesList, operator)) return undefined;
  return { field, operator: operator as Operator, value };
}

export const formatFilter = ({ field, operator, value }: FieldFilter): string =>
  `${field}:${operator}:${value}`;

export function parseFilters(search: TableSearch): FieldFilter[] {
  return (search.filter ?? []).map(parseFilter).filter((filter) => filter !== undefined);
}

/** Values of a list are separated by commas; one that is part of a value has a backslash before it. */
export const joinList = (values: readonly string[]): string =>
  values.map((value) => value.replace(/[\\,]/g, '\\$&')).join(',');

export function splitList(text: string): string[] {
  if (text === '') return [];
  const values = [''];
  for (const [part] of text.matchAll(/\\.|./gs)) {
    if (part === ',') values.push('');
    else values.push(values.pop() + part.replace(/^\\(?=.)/s, ''));
  }
  return values;
}

/** A list as it was meant by who typed it: without the blanks around its values, and without those that are blank. */
export const trimList = (text: string): string =>
  joinList(
    splitList(text)
      .map((value) => value.trim())
      .filter(Boolean),
  );

/** As the interface takes it, by the type of the field. */
export function toFilter({ field, operator, value }: FieldFilter, type: FieldType): Filter {
  const convert = (text: string) =>
    type === 'number' ? Number(text) : type === 'boolean' ? text === 'true' : text;
  const compared = { ...(field !== '' && { field }), operator };
  if (operator === 'exists') return { ...compared, value: value !== 'false' };
  return {
    ...compared,
    value: takesList[operator] ? splitList(value).map(convert) : convert(value),
  };
}

export function parseSorting(sort: string | undefined): Sorting[] {
  return (sort ?? '')
    .split(',')
    .filter((part) => part.length > 1)
    .map((part) =>
      part.startsWith('-')
        ? { field: part.slice(1), direction: 'desc' }
        : { field: part, direction: 'asc' },
    );
}

export function formatSorting(sorting: readonly Sorting[]): string | undefined {
  const parts = sorting.map(({ field, direction }) => (direction === 'desc' ? '-' : '') + field);
  return parts.length > 0 ? parts.join(',') : undefined;
}

/** An address has no parameters without a value. */
export function definedOnly<Search extends object>(search: Search): Search {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined),
  ) as Search;
}
