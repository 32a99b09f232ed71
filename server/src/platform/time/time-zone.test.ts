import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { DAY_MS } from './duration.ts';
import { dateIn, offsetsIn, startOfDateIn, timeZoneNamed } from './time-zone.ts';
import { timeZoneLinks } from './time-zone-links.ts';

test.each([
  ['2026-11-15T22:59:59.999Z', 'Europe/Berlin', '2026-11-15'],
  ['2026-11-15T23:00:00.000Z', 'Europe/Berlin', '2026-11-16'],
  ['2026-07-15T22:00:00.000Z', 'Europe/Berlin', '2026-07-16'],
  ['2026-11-15T09:59:59.000Z', 'Pacific/Kiritimati', '2026-11-15'],
  ['2026-11-15T10:00:00.000Z', 'Pacific/Kiritimati', '2026-11-16'],
  ['2026-11-15T04:59:59.000Z', 'America/New_York', '2026-11-14'],
  ['2026-12-31T23:30:00.000Z', 'UTC', '2026-12-31'],
])('%s is in %s on %s', (instant, timeZone, date) => {
  expect(dateIn(timeZone, new Date(instant))).toBe(date);
});

test('a date begins with the first instant that is on it', () => {
  const zones = [
    ...['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Chatham'],
    ...['America/Santiago', 'America/Havana', 'Asia/Beirut', 'Asia/Amman', 'Atlantic/Azores'],
  ];
  const days = fc.date({
    min: new Date('1990-01-01'),
    max: new Date('2060-01-01'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(fc.constantFrom(...zones), days, (timeZone, day) => {
      const date = day.toISOString().slice(0, 10);
      const start = startOfDateIn(timeZone, date);
      expect(dateIn(timeZone, start)).toBe(date);
      expect(dateIn(timeZone, start.getTime() - 1) < date).toBe(true);
    }),
  );
});

test.each([
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z', 'midnight is skipped'],
  ['2026-04-05', 'America/Santiago', '2026-04-05T04:00:00.000Z', 'the hour before is shown twice'],
  ['2026-03-08', 'America/Havana', '2026-03-08T05:00:00.000Z', 'midnight is skipped'],
  ['2026-11-01', 'America/Havana', '2026-11-01T04:00:00.000Z', 'midnight is shown twice'],
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z', 'midnight is skipped'],
  ['2021-10-29', 'Asia/Amman', '2021-10-28T21:00:00.000Z', 'midnight is shown twice'],
  ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z', 'the day is skipped'],
])('%s begins in %s at %s, as %s', (date, timeZone, start) => {
  expect(startOfDateIn(timeZone, date).toISOString()).toBe(start);
});

test.each([
  ['Europe/Berlin', '2016-01-01', '2026-12-31', 23],
  // Clocks go back for a month of each year.
  ['Africa/Casablanca', '2023-01-01', '2025-12-31', 7],
  ['America/Havana', '2025-01-01', '2025-12-31', 3],
  ['Australia/Lord_Howe', '2025-01-01', '2025-12-31', 3],
  // A day was left out.
  ['Pacific/Apia', '2011-12-01', '2012-01-31', 2],
  ['Asia/Kathmandu', '2026-02-01', '2026-02-01', 1],
])('the offsets of %s from %s to %s tell the date of any instant', (timeZone, from, to, count) => {
  const begin = startOfDateIn(timeZone, from);
  const end = new Date(startOfDateIn(timeZone, to).getTime() + DAY_MS);
  const { times, seconds } = offsetsIn(timeZone, begin, end);
  expect([times.length, seconds.length]).toEqual([count, count]);
  const dateAt = (time: number) => {
    const index = times.findLastIndex((one) => one.getTime() <= time);
    return new Date(time + 1_000 * (seconds[index] ?? Number.NaN)).toISOString().slice(0, 10);
  };
  const hours = Array.from(
    { length: (end.getTime() - begin.getTime()) / 3_600_000 },
    (_, hour) => begin.getTime() + hour * 3_600_000,
  );
  const around = [...times, ...hours].flatMap((time) => [Number(time), Number(time) + 1_799_999]);
  expect(around.filter((time) => dateAt(time) !== dateIn(timeZone, time))).toEqual([]);
});

test('a zone is known by its name in the database, and by nothing else', () => {
  expect(timeZoneNamed('Europe/Berlin')).toBe('Europe/Berlin');
  expect(timeZoneNamed('Europe/Kyiv')).toBe('Europe/Kyiv');
  expect(timeZoneNamed('europe/berlin')).toBe('Europe/Berlin');
  for (const name of ['UTC', 'Etc/GMT+5', ...Intl.supportedValuesOf('timeZone')])
    expect(timeZoneNamed(name), name).toBe(name);
  const aliases = ['ECT', 'CAT', 'SST', 'PRT', 'AET', 'NET', 'VST', 'SystemV/PST8PDT'];
  for (const name of ['Europe/Bonn', '+01:00', '', 'CEST', ' UTC', ...aliases])
    expect(timeZoneNamed(name), name).toBeUndefined();
});

test('a zone that is a link to another one is spelt as in the database', () => {
  const miscased = (name: string) => [name.toLowerCase(), name.toUpperCase()];
  for (const name of timeZoneLinks)
    for (const one of [name, ...miscased(name)]) expect(timeZoneNamed(one), one).toBe(name);
  expect(timeZoneNamed('AmErica/argentina/comodrivaDaVia')).toBe(
    'America/Argentina/ComodRivadavia',
  );
});

test('of many names of zones, the formats that were used last are kept', () => {
  const letters = [...'comodrivadavia'];
  const names = Array.from({ length: 600 }, (_, bits) => {
    const spelt = letters.map((one, at) => ((bits >> at) & 1 ? one.toUpperCase() : one));
    return `America/Argentina/${spelt.join('')}`;
  });
  const [first = '', last = ''] = [names[0], names.at(-1)];
  for (const name of names) dateIn(name, 0);
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  dateIn(last, 0);
  expect(made).not.toHaveBeenCalled();
  dateIn(first, 0);
  expect(made).toHaveBeenCalledOnce();
  made.mockRestore();
});
