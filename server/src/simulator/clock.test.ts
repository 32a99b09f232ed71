import { expect, test } from 'vitest';
import { clockFrom } from './clock.ts';

const HOUR_MS = 3_600_000;
const now = Date.parse('2026-11-15T12:00:00Z');

test('at the real pace it begins now and goes with the real time', () => {
  const clock = clockFrom(now, { speed: 1 });
  expect(clock).toMatchObject({ start: now });
  expect(clock.end).toBeUndefined();
  expect(clock.at(now + 5_000)).toBe(now + 5_000);
  expect(clockFrom(now, { speed: 1, hours: 2 }).end).toBe(now + 2 * HOUR_MS);
});

test('a fast one begins a day back, and never gets ahead of the real time', () => {
  const clock = clockFrom(now, { speed: 60 });
  expect(clock.start).toBe(now - 24 * HOUR_MS);
  expect(clock.at(now + 60_000)).toBe(now - 23 * HOUR_MS);
  const later = now + HOUR_MS;
  expect(clock.at(later)).toBe(later);
  expect(clock.at(later + 1_000)).toBe(later + 1_000);
});

test('one that has an end begins as long before now', () => {
  expect(clockFrom(now, { speed: 60, hours: 6 })).toMatchObject({
    start: now - 6 * HOUR_MS,
    end: now,
  });
});
