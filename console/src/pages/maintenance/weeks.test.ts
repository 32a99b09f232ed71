import { expect, test } from 'vitest';
import { firstWeekday, weeksOf } from './weeks.ts';

test('a month has whole weeks, from the first day of the week in the region', () => {
  const german = weeksOf('2026-11', firstWeekday('de-DE'));
  expect(german[0]?.[0]).toBe('2026-10-26');
  expect(german.at(-1)?.at(-1)).toBe('2026-12-06');
  const american = weeksOf('2026-11', firstWeekday('en-US'));
  expect(american[0]?.[0]).toBe('2026-11-01');
  expect(american.at(-1)?.at(-1)).toBe('2026-12-05');
});

test('a month that fills its weeks has none of its neighbours', () => {
  const weeks = weeksOf('2027-02', 1);
  expect(weeks).toHaveLength(4);
  expect(weeks.flat()).toHaveLength(28);
  expect(weeks.flat().every((day) => day.startsWith('2027-02'))).toBe(true);
});
