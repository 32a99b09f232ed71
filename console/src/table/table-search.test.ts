import { expect, test } from 'vitest';
import {
  formatFilter,
  formatSorting,
  parseFilter,
  parseSorting,
  parseTableSearch,
  toFilter,
} from './table-search.ts';

test('an address keeps what a table can show, and nothing else', () => {
  expect(
    parseTableSearch({
      q: 123,
      filter: ['a:eq:b'],
      sort: '',
      page: -1,
      size: 7,
      columns: 'plate',
      x: 1,
    }),
  ).toEqual({ q: '123', filter: ['a:eq:b'], columns: 'plate' });
  expect(parseTableSearch({ page: 2, size: 25 })).toEqual({ page: 2, size: 25 });
});

test('a filter is read as it was written, colons in its value included', () => {
  const filter = {
    field: 'status.lastUpdated',
    operator: 'gte',
    value: '2027-03-01T10:00:00Z',
  } as const;
  expect(parseFilter(formatFilter(filter))).toEqual(filter);
  expect(parseFilter('status.odometer')).toBeUndefined();
  expect(parseFilter('status.odometer:drop:1')).toBeUndefined();
});

test('the value of a filter has the type of its field', () => {
  expect(toFilter({ field: 'a', operator: 'gte', value: '20' }, 'number').value).toBe(20);
  expect(toFilter({ field: 'a', operator: 'eq', value: 'false' }, 'boolean').value).toBe(false);
  expect(toFilter({ field: 'a', operator: 'in', value: 'x,y' }, 'text').value).toEqual(['x', 'y']);
  expect(toFilter({ field: 'a', operator: 'exists', value: 'true' }, 'number').value).toBe(true);
});

test('an order of several fields survives the address', () => {
  const sort = '-status.odometer,information.vendor';
  expect(formatSorting(parseSorting(sort))).toBe(sort);
  expect(formatSorting([])).toBeUndefined();
});
