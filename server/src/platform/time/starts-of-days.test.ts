import { expect, test } from 'vitest';
import { nextDay } from './months.ts';
import { startsOfDays } from './starts-of-days.ts';
import { startOfDateIn } from './time-zone.ts';

test.each([
  ['Europe/Berlin', '2024-01-03', '2026-12-31'],
  // Clocks go back for a month of each year.
  ['Africa/Casablanca', '2024-01-01', '2026-12-31'],
  // At midnight, so that a day begins at one o'clock.
  ['America/Havana', '2025-01-01', '2025-12-31'],
  ['Australia/Lord_Howe', '2025-01-01', '2025-12-31'],
  // A day was left out.
  ['Pacific/Apia', '2011-12-01', '2012-01-31'],
  ['Asia/Kathmandu', '2026-02-01', '2026-02-01'],
])('each day begins as it does by itself: %s', async (timeZone, from, to) => {
  const days: string[] = [];
  for (let day = from; day <= to; day = nextDay(day)) days.push(day);
  const each = days.map((day) => startOfDateIn(timeZone, day));
  expect(await startsOfDays(timeZone, days)).toEqual(each);
});

test('no days begin never', async () => {
  expect(await startsOfDays('Europe/Berlin', [])).toEqual([]);
});
