import { expect, test } from 'vitest';
import { dueAfter, withDefaultDue } from './due.ts';

const today = '2026-11-15';

test('due again is an interval after the day and the odometer, by each interval that there is', () => {
  expect(dueAfter({ intervalMonths: 3 }, '2026-11-30', 1_000)).toEqual({ dueDate: '2027-02-28' });
  expect(dueAfter({ intervalDistance: 500 }, today, 1_000)).toEqual({ dueOdometer: 1_500 });
  expect(dueAfter({ intervalMonths: 12, intervalDistance: 500 }, today, 0)).toEqual({
    dueDate: '2027-11-15',
    dueOdometer: 500,
  });
  expect(dueAfter({}, today, 1_000)).toEqual({});
});

test.each([
  [{}, 45_000, { dueDate: '2027-11-15', dueOdometer: 60_000 }],
  [{}, undefined, { dueDate: '2027-11-15', dueOdometer: 15_000 }],
  [
    { lastDoneDate: '2026-10-01', lastDoneOdometer: 44_000 },
    45_000,
    { dueDate: '2027-10-01', dueOdometer: 59_000 },
  ],
  [{ dueDate: '2027-01-01' }, 45_000, { dueDate: '2027-01-01', dueOdometer: 60_000 }],
  [{ dueOdometer: 50_000 }, 45_000, { dueDate: '2027-11-15', dueOdometer: 50_000 }],
])('of a request with %j at %s km, what it leaves out is %j', (given, odometer, due) => {
  const request = { intervalMonths: 12, intervalDistance: 15_000, ...given };
  expect(withDefaultDue(request, odometer, today)).toEqual({ ...request, ...due });
});
