import type { ValidationIssue } from '../http/problem.ts';
import type { Parsed } from '../http/request-part.ts';
import { maxSuggestions, unknownName } from '../http/unknown-name.ts';
import { type Field, fieldsByName, sortableFields } from './field.ts';
import { searchLimits } from './limits.ts';
import type { Direction } from './operators.ts';
import { type Page, type PageBody, pageIssues, pageOf } from './page.ts';
import { type ParsedFilter, parseFilter } from './parse-filter.ts';
import type { Filter, SearchMode, Sorting } from './request-schema.ts';
import type { Searchable } from './searchable.ts';

/** A valid search: every field is known, and every value has its type. */
export type ParsedSearch = {
  /** Text to find in any text column; empty for no restriction. */
  text: string;
  mode: SearchMode;
  /** All of them must hold. */
  filters: readonly ParsedFilter[];
  /** Without the last key, which makes the order total. */
  sorting: readonly SortingKey[];
  page: Page;
};

export type SortingKey = { field: Field; direction: Direction };

type SearchBody = PageBody & {
  searchText?: string;
  searchMode?: SearchMode;
  filters?: readonly Filter[];
  sorting?: readonly Sorting[];
};

/** The search of a body, or its issues beyond the schema. */
export function parseSearch(searchable: Searchable, body: SearchBody): Parsed<ParsedSearch> {
  const issues: ValidationIssue[] = costIssues(body.filters);
  const suggestsNames = () => issues.length < maxSuggestions;
  const filters = parseEach(body.filters, issues, (filter, index) =>
    parseFilter(filter, `/filters/${index}`, searchable, suggestsNames()),
  );
  const sorting = parseEach(body.sorting, issues, (key, index) =>
    parseSortingKey(key, `/sorting/${index}`, searchable, suggestsNames()),
  );
  issues.push(...pageIssues(body));
  if (issues.length > 0) return { issues };
  const { searchText: text = '', searchMode: mode = 'literal' } = body;
  return { value: { text, mode, filters, sorting, page: pageOf(body) } };
}

/** Every row may be compared with every value: docs/decisions/0027-fair-use.md. */
function costIssues(filters: readonly Filter[] = []): ValidationIssue[] {
  let values = 0;
  for (const { value } of filters) values += Array.isArray(value) ? value.length : 1;
  const limit = searchLimits.valuesOfAllFilters;
  if (values <= limit) return [];
  const detail = `The filters compare with ${values} values together; at most ${limit} are allowed.`;
  return [{ pointer: '/filters', detail }];
}

function parseEach<Sent, Value>(
  sent: readonly Sent[] = [],
  issues: ValidationIssue[],
  parse: (one: Sent, index: number) => Parsed<Value>,
): Value[] {
  const values: Value[] = [];
  for (const [index, one] of sent.entries()) {
    const parsed = parse(one, index);
    if ('issues' in parsed) issues.push(...parsed.issues);
    else values.push(parsed.value);
  }
  return values;
}

function parseSortingKey(
  { field: name, direction = 'asc' }: Sorting,
  pointer: string,
  { fields }: Searchable,
  suggestsNames: boolean,
): Parsed<SortingKey> {
  const sortable = sortableFields(fields);
  const byName = fieldsByName(sortable);
  const field = byName.get(name);
  if (field) return { value: { field, direction } };
  const known = sortable.map(({ path }) => path);
  const detail = unknownName(name, 'a field to sort by', known, suggestsNames ? byName.keys() : []);
  return { issues: [{ pointer: `${pointer}/field`, detail }] };
}
