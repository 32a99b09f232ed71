import { expect, test } from 'vitest';
import { maintenanceFilters, parseMaintenanceSearch } from './maintenance-search.ts';

test('a day and a month of the address are taken where the calendar has them', () => {
  const search = { view: 'calendar', month: '2027-03', day: '2028-02-29' };
  expect(parseMaintenanceSearch(search)).toEqual(search);
});

test.each([
  '2026-13-45',
  '2026-02-30',
  '2026-1-1',
  '0000-01-01',
  '9999-12-31',
  20261116,
  undefined,
])('the day %s of an address is ignored', (day) => {
  expect(parseMaintenanceSearch({ day })).toStrictEqual({ month: undefined, day: undefined });
});

test.each(['2026-13', '2026', '0000-01', '9999-12', 202611, undefined])(
  'the month %s of an address is ignored',
  (month) => {
    expect(parseMaintenanceSearch({ month })).toStrictEqual({ month: undefined, day: undefined });
  },
);

test('words, state and filters of an address are all looked for', () => {
  const search = { q: 'HH-MP oil', status: 'overdue', filter: ['dueOdometer:gte:20000'] } as const;
  expect(maintenanceFilters({ ...search, filter: [...search.filter] })).toEqual([
    { value: 'HH-MP' },
    { value: 'oil' },
    { field: 'status', value: 'overdue' },
    { field: 'dueOdometer', operator: 'gte', value: 20_000 },
  ]);
});
