import { expect, test } from 'vitest';
import { createFormats } from './formats.ts';

const british = createFormats('en', ['en-GB', 'de']);
const german = createFormats('de', ['en-GB', 'de']);
const now = Date.parse('2027-03-01T12:00:00Z');

test('numbers and units are written as the language does', () => {
  expect(british.kilometres(12_345.6)).toBe('12,346 km');
  expect(german.kilometres(12_345.6)).toBe('12.346 km');
  expect(german.bar(2.4)).toBe('2,4 bar');
  expect(british.percent(15)).toBe('15%');
  expect(british.change(0.09)).toBe('+9%');
});

test('amounts are in the minor unit of their currency', () => {
  expect(british.money(2_119_500, 'EUR')).toBe('€21,195');
  expect(british.money(21_195, 'JPY')).toBe('JP¥21,195');
});

test('an age is told in the largest unit that fits', () => {
  expect(british.age('2027-03-01T11:56:00Z', now)).toBe('4 min ago');
  expect(british.age('2027-02-27T11:00:00Z', now)).toBe('2 days ago');
  expect(german.age('2027-03-01T11:56:00Z', now)).toBe('vor 4 Min.');
});

test('the day of a moment is that of the place where somebody is', () => {
  const [early, late] = [new Date(2027, 2, 1, 0, 5), new Date(2027, 2, 1, 23, 55)];
  expect(british.day(early.toISOString())).toBe('1 Mar 2027');
  expect(british.day(late.toISOString())).toBe('1 Mar 2027');
});

test('a region of another language does not decide', () => {
  expect(createFormats('de', ['en-US']).locale).toBe('de');
  expect(british.locale).toBe('en-GB');
});

test('durations are in hours and minutes', () => {
  expect(british.duration(30 * 60_000)).toBe('30 min');
  expect(british.duration(2 * 3_600_000)).toBe('2 h');
  expect(british.duration(9_000_000)).toBe('2 h 30 min');
});
