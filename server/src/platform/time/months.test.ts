import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addMonths,
  endOfMonth,
  monthsBetween,
  nextDay,
  startOfMonth,
  startOfTwelveMonths,
} from './months.ts';

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2024-01-31', 1, '2024-02-29'],
  ['2024-02-29', 12, '2025-02-28'],
  ['2024-02-29', 48, '2028-02-29'],
  ['2096-02-29', 48, '2100-02-28'],
  ['2026-12-31', 2, '2027-02-28'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-01-15', -1, '2025-12-15'],
  ['0001-01-01', 12, '0002-01-01'],
])('%s and %i months is %s', (date, months, result) => {
  expect(addMonths(date, months)).toBe(result);
});

test('the first and the last day of a month, and the day after', () => {
  expect(startOfMonth('2024-02-17')).toBe('2024-02-01');
  expect(endOfMonth('2024-02-17')).toBe('2024-02-29');
  expect(endOfMonth('2000-02-01')).toBe('2000-02-29');
  expect(nextDay('2024-02-28')).toBe('2024-02-29');
  expect(nextDay('2026-12-31')).toBe('2027-01-01');
});

test('twelve months begin with the eleventh before, and with the calendar at the earliest', () => {
  expect(startOfTwelveMonths('2026-11-15')).toBe('2025-12-01');
  expect(startOfTwelveMonths('0001-12-31')).toBe('0001-01-01');
  expect(startOfTwelveMonths('0001-05-31')).toBe('0001-01-01');
});

const date = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9000-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));

test('the calendar is the one of the machine', () => {
  fc.assert(
    fc.property(date, (day) => {
      const next = new Date(`${day}T00:00:00Z`);
      next.setUTCDate(next.getUTCDate() + 1);
      expect(nextDay(day)).toBe(next.toISOString().slice(0, 10));
    }),
  );
});

test('so many months later, so many whole months have gone by', () => {
  fc.assert(
    fc.property(date, fc.nat(600), (day, months) => {
      expect(monthsBetween(day, addMonths(day, months))).toBe(months);
      expect(addMonths(day, months) <= endOfMonth(addMonths(startOfMonth(day), months))).toBe(true);
    }),
  );
});
