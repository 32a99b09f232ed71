import { expect, test } from 'vitest';
import { dateOf } from '../../../platform/time/instant.ts';
import { isWorkday, workdayFrom, workdayUntil } from './workdays.ts';

const on = (date: string) => Date.parse(`${date}T10:00:00Z`);

test.each([
  ['2024-03-29', false, true],
  ['2024-04-01', false, false],
  ['2025-04-18', false, true],
  ['2025-05-29', false, false],
  ['2026-05-25', false, false],
  ['2026-10-03', false, false],
  ['2025-10-03', false, true],
  ['2025-12-26', false, true],
  ['2025-07-14', true, false],
  ['2025-11-11', true, false],
  ['2027-03-29', false, false],
  ['2026-11-15', false, false],
  ['2026-11-16', true, true],
])('%s is a workday in Germany: %s, in France: %s', (date, german, french) => {
  expect(isWorkday(on(date), false)).toBe(german);
  expect(isWorkday(on(date), true)).toBe(french);
});

test('the nearest workdays keep the moment of the day', () => {
  expect(workdayUntil(on('2025-04-21'), false)).toBe(on('2025-04-17'));
  expect(workdayFrom(on('2025-04-18'), false)).toBe(on('2025-04-22'));
  expect(dateOf(workdayFrom(on('2025-04-23'), false))).toBe('2025-04-23');
});
