import { describe, expect, test } from 'vitest';
import { canonicalDateTime, dateTimeIssue, isDateTime } from './date-time.ts';
import { toMilliseconds } from './instant.ts';

describe('a date and time of ISO 8601 is accepted', () => {
  test.each([
    ['2026-11-15T10:30:00Z', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T10:30Z', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T12:30:00+02', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T12:30:00+0200', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T12:30:00+02:00', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T05:00:00-0530', '2026-11-15T10:30:00.000Z'],
    ['2026-11-15T10:30:00,25Z', '2026-11-15T10:30:00.250Z'],
    ['2026-11-15t10:30:00.1239z', '2026-11-15T10:30:00.123Z'],
    ['2026-11-15t12:30:00,5+02', '2026-11-15T10:30:00.500Z'],
    ['2026-12-31T24:00:00Z', '2027-01-01T00:00:00.000Z'],
    ['2026-12-31T24:00Z', '2027-01-01T00:00:00.000Z'],
    ['2028-02-28T24:00:00,000+01', '2028-02-28T23:00:00.000Z'],
    ['0001-01-01T24:00:00Z', '0001-01-02T00:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(isDateTime(text)).toBe(true);
    expect(new Date(toMilliseconds(text)).toISOString()).toBe(instant);
  });

  test('and its canonical form keeps the whole fraction', () => {
    expect(canonicalDateTime('2026-11-15t10:30:00,123456789z')).toBe(
      '2026-11-15T10:30:00.123456789Z',
    );
  });
});

test.each([
  '2026-11-15T10:30:00',
  '2026-11-15',
  '2026-02-29T10:30:00Z',
  '2026-11-15T24:00:01Z',
  '2026-11-15T24:01:00Z',
  '2026-11-15T24:00:00.001Z',
  '2026-11-15T25:00:00Z',
  '2026-11-15T10:60:00Z',
  '2026-11-15T10:30,5Z',
  '2026-11-15T10:30:00.Z',
  '2026-11-15T10:30:00+2',
  '2026-11-15T10:30:00+15',
  '2026-11-15T10:30:00+02:60',
  '2026-11-15 10:30:00Z',
  '9999-12-31T24:00:00Z',
  '9999-12-31T23:00:00-02',
  '0001-01-01T00:00:00+01',
  '0000-01-01T00:00:00Z',
])('%s is refused', (text) => {
  expect(isDateTime(text)).toBe(false);
});

test.each([
  ['2026-11-15T10:30:00', true],
  ['2026-11-15t10:30:00,5', true],
  ['2026-11-15 10:30', true],
  ['yesterday', false],
  ['2026-02-29T10:30:00Z', false],
  [7, false],
])('of %s, the missing offset is the reason: %s', (text, isReason) => {
  const issue = dateTimeIssue('timestamp', text);
  expect(issue.startsWith('timestamp has no offset from UTC, without which')).toBe(isReason);
});
