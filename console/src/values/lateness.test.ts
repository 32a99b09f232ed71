import { expect, test } from 'vitest';
import { createFormats } from '../formats/formats.ts';
import { de } from '../texts/de/index.ts';
import { en } from '../texts/en/index.ts';
import { invoiceLatenessOf, latenessOf } from './lateness.ts';

const now = new Date(2027, 2, 10, 8).getTime();
const english = { texts: en, formats: createFormats('en', ['en-GB']) };
const german = { texts: de, formats: createFormats('de', ['de-DE']) };

test('what is overdue tells by how many days and kilometres', () => {
  expect(latenessOf({ dueDate: '2027-03-09' }, undefined, now, english)).toEqual(['1 day overdue']);
  expect(latenessOf({ dueDate: '2027-01-10' }, undefined, now, german)).toEqual([
    '59 Tage überfällig',
  ]);
  expect(latenessOf({ dueOdometer: 30_000 }, 31_240.4, now, english)).toEqual(['1,240 km over']);
  const both = { dueDate: '2027-03-01', dueOdometer: 30_000 };
  expect(latenessOf(both, 30_500, now, german)).toEqual(['9 Tage überfällig', '500 km darüber']);
});

test('what has not passed, or is not known, tells nothing', () => {
  expect(latenessOf({ dueDate: '2027-03-10' }, undefined, now, english)).toEqual([]);
  expect(latenessOf({ dueOdometer: 30_000 }, 29_999, now, english)).toEqual([]);
  expect(latenessOf({ dueOdometer: 30_000 }, undefined, now, english)).toEqual([]);
});

test('an approved invoice is late from the day after it was to be paid', () => {
  const late = (invoice: Partial<Parameters<typeof invoiceLatenessOf>[0]>) =>
    invoiceLatenessOf(
      { status: 'approved', type: 'invoice', dueDate: '2027-03-01', ...invoice },
      now,
      english,
    );
  expect(late({})).toBe('9 days overdue');
  expect(late({ dueDate: '2027-03-10' })).toBe(undefined);
  expect(invoiceLatenessOf({ status: 'approved', type: 'invoice' }, now, german)).toBe(undefined);
  // It is paid, not yet decided on, or money that comes back.
  for (const status of ['paid', 'open', 'disputed', 'draft', 'cancelled'] as const)
    expect(late({ status })).toBe(undefined);
  expect(late({ type: 'credit_note' })).toBe(undefined);
});
