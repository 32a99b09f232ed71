import { describe, expect, test } from 'vitest';
import { fieldsOf } from './field.ts';
import { parseSearch } from './parse-search.ts';
import type { Searchable } from './searchable.ts';

const searchable: Searchable = {
  fields: fieldsOf({
    id: ['uuid', 't.id'],
    'owner.name': ['text', 't.owner'],
    weight: ['number', 't.weight'],
    tags: ['text', 'tag', { anyOf: 'from unnest(t.tags) tag where true' }],
  }),
  columns: 't.id',
  from: 'things t',
  textColumns: ['t.owner'],
  id: 't.id',
};
const [, owner, weight] = searchable.fields;

test('an empty body asks for the first page of everything', () => {
  const page = { pageNumber: 0, pageSize: 100 };
  const value = { text: '', mode: 'literal', filters: [], sorting: [], page };
  expect(parseSearch(searchable, {})).toEqual({ value });
});

test('filters and sorting are resolved to fields, with their defaults', () => {
  const parsed = parseSearch(searchable, {
    searchText: 'x',
    filters: [
      { field: 'name', value: 'a' },
      { field: 'weight', operator: 'in', value: [1, 2] },
      { value: 'b' },
    ],
    sorting: [{ field: 'owner.name' }, { field: 'weight', direction: 'desc' }],
    pageRequest: { pageNumber: 2 },
  });
  expect(parsed).toEqual({
    value: {
      text: 'x',
      mode: 'literal',
      filters: [
        { field: owner, operator: 'eq', value: 'a' },
        { field: weight, operator: 'in', value: [1, 2] },
        { value: 'b' },
      ],
      sorting: [
        { field: owner, direction: 'asc' },
        { field: weight, direction: 'desc' },
      ],
      page: { pageNumber: 2, pageSize: 100 },
    },
  });
});

describe('what is wrong', () => {
  test('is named for filters, sorting and page together, in their order', () => {
    const parsed = parseSearch(searchable, {
      filters: [
        { field: 'weight', value: 'heavy' },
        { field: 'weight', operator: 'gt', value: 1 },
        { field: 'nope', value: 1 },
        { field: 'id', operator: 'lt', value: 'x' },
      ],
      sorting: [{ field: 'tags' }],
      pagination: {},
      pageRequest: {},
    });
    expect('issues' in parsed && parsed.issues.map(({ pointer }) => pointer)).toEqual([
      '/filters/0/value',
      '/filters/2/field',
      '/filters/3/operator',
      '/sorting/0/field',
      '/pageRequest',
    ]);
  });

  test('asks about the first five fields that are not known', () => {
    const parsed = parseSearch(searchable, {
      filters: Array.from({ length: 4 }, () => ({ field: 'wieght', value: 1 })),
      sorting: Array.from({ length: 3 }, () => ({ field: 'wieght' })),
    });
    const issues = 'issues' in parsed ? parsed.issues : [];
    expect(issues.map(({ detail }) => detail.endsWith('Did you mean weight?'))).toEqual([
      ...Array(5).fill(true),
      ...Array(2).fill(false),
    ]);
  });

  test('includes more values in all filters together than a search may cost', () => {
    const filters = (values: number) => [
      { field: 'weight', operator: 'in' as const, value: new Array(999).fill(1) },
      { field: 'weight', operator: 'notIn' as const, value: new Array(999).fill(1) },
      ...Array.from({ length: values }, () => ({ field: 'name', value: 'a' })),
    ];
    expect(parseSearch(searchable, { filters: filters(2) })).toHaveProperty('value');
    const detail = 'The filters compare with 2001 values together; at most 2000 are allowed.';
    expect(parseSearch(searchable, { filters: filters(3) })).toEqual({
      issues: [{ pointer: '/filters', detail }],
    });
  });

  test('includes a filter without a field where there is no text to look in', () => {
    const { textColumns: _, ...textless } = searchable;
    expect(parseSearch(textless, { filters: [{ value: 'b' }] })).toEqual({
      issues: [{ pointer: '/filters/0/field', detail: 'field is required here.' }],
    });
  });

  test('is asked about where a known field is near, by its path or its bare name', () => {
    const parsed = parseSearch(searchable, {
      filters: [
        { field: 'nome', value: 'a' },
        { field: 'owner.nane', value: 'a' },
      ],
      sorting: [{ field: 'wieght' }],
    });
    expect('issues' in parsed && parsed.issues.map(({ detail }) => detail)).toEqual([
      '"nome" is not a field: known are id, owner.name, weight, tags. Did you mean name?',
      '"owner.nane" is not a field: known are id, owner.name, weight, tags. Did you mean owner.name?',
      '"wieght" is not a field to sort by: known are id, owner.name, weight. Did you mean weight?',
    ]);
  });
});
