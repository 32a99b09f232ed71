import { expect, test } from 'vitest';
import { firstCalendarDue, nextCalendarDue } from './calendar.ts';

const tyres = [4, 10];

test.each([
  ['2026-11-15', '2027-04-30'],
  ['2027-04-01', '2027-04-30'],
  ['2027-04-30', '2027-04-30'],
  ['2027-05-01', '2027-10-31'],
  ['2027-12-31', '2028-04-30'],
])('in April and October: on %s the first is due by %s', (day, due) => {
  expect(firstCalendarDue(tyres, day)).toBe(due);
});

test.each([
  ['2027-04-12', '2027-10-31', 'in time'],
  ['2027-03-28', '2027-10-31', 'a month early'],
  ['2027-02-28', '2027-04-30', 'too early to count'],
  ['2027-06-10', '2027-10-31', 'late'],
  ['2027-10-05', '2028-04-30', 'so late that it is the next one'],
  ['2026-10-10', '2027-04-30', 'written down late'],
])('done on %s, it is due again by %s (%s)', (doneOn, due) => {
  expect(nextCalendarDue(tyres, doneOn)).toBe(due);
});

test('neighbouring months do not count for each other, and one month comes round every year', () => {
  expect(nextCalendarDue([3, 4], '2027-03-28')).toBe('2027-04-30');
  expect(nextCalendarDue([2], '2027-02-01')).toBe('2028-02-29');
});
