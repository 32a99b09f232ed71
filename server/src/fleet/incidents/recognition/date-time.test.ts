import { expect, test } from 'vitest';
import { findDate, findTime } from './date-time.ts';

test.each([
  ['14.11.2026', '2026-11-14'],
  ['14.11.26', '2026-11-14'],
  ['3. 2. 2026', '2026-02-03'],
  ['03/02/2026', '2026-02-03'],
  ['02/28/2026', '2026-02-28'],
  ['2026-11-14', '2026-11-14'],
  ['14. November 2026', '2026-11-14'],
  ['3rd March 2026', '2026-03-03'],
  ['5. März 2026', '2026-03-05'],
  ['l4.1l.2O26', '2026-11-14'],
])('%s is the date %s', (text, date) => {
  expect(findDate(text)).toBe(date);
});

test.each(['', 'yesterday', '31.02.2026', '14.13.2026', '14.11.1812', '0151 2345678'])(
  '%s is no date',
  (text) => {
    expect(findDate(text)).toBeUndefined();
  },
);

test.each([
  ['17:20', '17:20'],
  ['17.20 Uhr', '17:20'],
  ['8:05 am', '08:05'],
  ['8:05 p.m.', '20:05'],
  ['12:10 am', '00:10'],
  ['17 Uhr', '17:00'],
  ['l7:2O', '17:20'],
  ['11710', '11:10'],
])('%s is the time %s', (text, time) => {
  expect(findTime(text)).toBe(time);
});

test.each(['', 'noon', '25:10', '17:61'])('%s is no time', (text) => {
  expect(findTime(text)).toBeUndefined();
});
