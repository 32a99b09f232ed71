import { expect, test } from 'vitest';
import {
  formatFilter,
  formatSorting,
  joinList,
  parseFilter,
  parseSorting,
  parseTableSearch,
  splitList,
  toFilter,
  trimList,
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

test('every operator of the interface is read, also without a field', () => {
  for (const operator of ['gt', 'lt', 'notIn', 'startsWith'] as const) {
    const filter = { field: 'status.odometer', operator, value: '1' };
    expect(parseFilter(formatFilter(filter))).toEqual(filter);
  }
  expect(toFilter({ field: 'a', operator: 'notIn', value: '1,2' }, 'number').value).toEqual([1, 2]);
  const text = { field: '', operator: 'contains', value: 'golf' } as const;
  expect(parseFilter(formatFilter(text))).toEqual(text);
  expect(toFilter(text, 'text')).toEqual({ operator: 'contains', value: 'golf' });
  expect(parseFilter('status.odometer:toString:1')).toBeUndefined();
});

test.each([
  [[], ''],
  [['VW', 'Škoda'], 'VW,Škoda'],
  [['Müller, Söhne', 'a\\b', ',', '\\'], 'Müller\\, Söhne,a\\\\b,\\,,\\\\'],
])('the list %j is %s in an address, and read as it was', (values, text) => {
  expect(joinList(values)).toBe(text);
  expect(splitList(text)).toEqual(values);
});

test('a backslash that somebody types at the end of a list stays', () => {
  expect(splitList('VW,a\\')).toEqual(['VW', 'a\\']);
});

test.each([
  ['VW, Audi', 'VW,Audi'],
  [' VW ,, Audi , ', 'VW,Audi'],
  ['Müller\\, Söhne , a b', 'Müller\\, Söhne,a b'],
  [' , ', ''],
])('the list %j that somebody types is meant as %j', (typed, meant) => {
  expect(trimList(typed)).toBe(meant);
});

test('an order of several fields survives the address', () => {
  const sort = '-status.odometer,information.vendor';
  expect(formatSorting(parseSorting(sort))).toBe(sort);
  expect(formatSorting([])).toBeUndefined();
});
