import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayIn, isOfDay, momentOf } from './day-moments.ts';

const { TZ } = process.env;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (TZ === undefined) delete process.env.TZ;
  else process.env.TZ = TZ;
});

test('a day is compared as a whole, where the person is', () => {
  expect(momentOf('2026-10-31', 'gte')).toBe('2026-10-30T23:00:00.000Z');
  expect(momentOf('2026-10-31', 'lt')).toBe('2026-10-30T23:00:00.000Z');
  expect(momentOf('2026-10-31', 'lte')).toBe('2026-10-31T22:59:59.999Z');
  expect(momentOf('2026-10-31', 'gt')).toBe('2026-10-31T22:59:59.999Z');
  // It has 25 hours.
  expect(momentOf('2026-10-25', 'gte')).toBe('2026-10-24T22:00:00.000Z');
  expect(momentOf('2026-10-25', 'lte')).toBe('2026-10-25T22:59:59.999Z');
});

test('the day of a moment is found again', () => {
  for (const operator of ['gte', 'lte', 'gt', 'lt'] as const) {
    const moment = momentOf('2026-10-31', operator);
    expect(dayIn(moment)).toBe('2026-10-31');
    expect(isOfDay(moment, operator)).toBe(true);
  }
  expect(isOfDay('2026-10-31T10:00:00Z', 'gte')).toBe(false);
});

test('what is no moment stays as it was typed', () => {
  for (const text of ['', '2026-10-31', '0026-10-31', 'Today', 'x']) expect(dayIn(text)).toBe(text);
  expect(isOfDay('Today', 'gte')).toBe(false);
});
