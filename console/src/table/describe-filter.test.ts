import { expect, test } from 'vitest';
import { createFormats } from '../formats/formats.ts';
import { table } from '../texts/en/table.ts';
import { momentOf } from './day-moments.ts';
import { describeFilter } from './describe-filter.ts';
import type { FilterField } from './filter-bar.tsx';
import type { FieldFilter } from './table-search.ts';

const fields: FilterField[] = [
  { field: 'make', type: 'text', label: 'Make' },
  { field: 'km', type: 'number', label: 'Kilometres' },
  { field: 'active', type: 'boolean', label: 'In service' },
  { field: 'day', type: 'date', label: 'Registered' },
  { field: 'seen', type: 'time', label: 'Seen' },
];
const describe = (filter: FieldFilter) =>
  describeFilter(filter, fields, table.table, createFormats('en', ['en-GB']));

test('a moment is told as its day where it stands for that, else with its time', () => {
  const seen = (operator: 'gte' | 'lte', value: string) =>
    describe({ field: 'seen', operator, value });
  expect(seen('lte', momentOf('2026-10-31', 'lte'))).toBe('Seen at most 31 Oct 2026');
  expect(seen('gte', new Date(2026, 9, 31, 10, 30).toISOString())).toBe(
    'Seen at least 31 Oct 2026, 10:30:00',
  );
  expect(seen('gte', 'Today')).toBe('Seen at least Today');
});

test.each<[FieldFilter, string]>([
  [{ field: 'make', operator: 'eq', value: 'VW' }, 'Make is VW'],
  [{ field: 'make', operator: 'in', value: 'VW,Škoda' }, 'Make one of VW, Škoda'],
  [{ field: 'make', operator: 'notIn', value: 'a\\,b' }, 'Make none of a,b'],
  [{ field: 'make', operator: 'notIn', value: 'a,b,c,d' }, 'Make: none of 4'],
  [{ field: 'km', operator: 'gt', value: '100000' }, 'Kilometres more than 100,000'],
  [{ field: 'km', operator: 'in', value: '4,5' }, 'Kilometres one of 4, 5'],
  [{ field: 'active', operator: 'eq', value: 'true' }, 'In service: Yes'],
  [{ field: 'active', operator: 'ne', value: 'true' }, 'In service is not Yes'],
  [{ field: 'day', operator: 'gte', value: '2026-10-31' }, 'Registered at least 31 Oct 2026'],
  [{ field: 'make', operator: 'exists', value: 'false' }, 'Make is not known'],
  [{ field: '', operator: 'contains', value: 'golf' }, 'Text contains golf'],
  [{ field: 'updatedAt', operator: 'exists', value: 'true' }, 'updatedAt is known'],
])('%o is described as %s', (filter, text) => {
  expect(describe(filter)).toBe(text);
});
