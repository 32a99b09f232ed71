import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { averageKmPerDay, forecastDue, replanAtOdometer } from './forecast.ts';

const today = '2026-11-15';
const dayMs = 86_400_000;
const day = (offset: number) =>
  new Date(Date.parse(today) + offset * dayMs).toISOString().slice(0, 10);
const driven = (odometer: number, kmPerDay = 40, readOn?: string) => ({
  odometer,
  kmPerDay,
  readOn,
});

describe('status', () => {
  test.each([
    [-1, 'overdue'],
    [0, 'due_soon'],
    [29, 'due_soon'],
    [30, 'due_soon'],
    [31, 'planned'],
  ])('due in %i days is %s', (days, status) => {
    expect(forecastDue({ dueDate: day(days) }, undefined, today)).toEqual({
      status,
      soonest: day(days),
    });
  });

  test.each([
    [-0.1, 'overdue'],
    [0, 'due_soon'],
    [1_499, 'due_soon'],
    [1_500, 'due_soon'],
    [1_501, 'planned'],
  ])('due in %d km of a vehicle that hardly runs is %s', (km, status) => {
    const due = { dueOdometer: 20_000 + km };
    expect(forecastDue(due, driven(20_000, 0.5), today).status).toBe(status);
  });

  test.each([
    [2_900, 29, 'due_soon'],
    [2_901, 30, 'due_soon'],
    [3_000, 30, 'due_soon'],
    [3_001, 31, 'planned'],
  ])('%i km at 100 km a day are reached in %i days: %s', (km, days, status) => {
    expect(forecastDue({ dueOdometer: 20_000 + km }, driven(20_000, 100), today)).toEqual({
      status,
      forecastDate: day(days),
      soonest: day(days),
    });
  });

  test.each([
    [45, 'due_soon'],
    [46, 'planned'],
  ])('due in %i days with a reminder 45 days before is %s', (days, status) => {
    const due = { dueDate: day(days) };
    expect(forecastDue(due, undefined, today, { reminderDays: 45 }).status).toBe(status);
  });

  test('a reminder window of nothing is due soon on the day and at the very kilometre', () => {
    const window = { reminderDays: 0, reminderDistance: 0 };
    const statusIn = (days: number, km: number) => {
      const due = { dueDate: day(days), dueOdometer: 20_000 + km };
      return forecastDue(due, driven(20_000, 0.01), today, window).status;
    };
    expect([statusIn(1, 1), statusIn(0, 1), statusIn(1, 0)]).toEqual([
      'planned',
      'due_soon',
      'due_soon',
    ]);
    const dues = [{ dueOdometer: 20_015, reminderDistance: 5 }];
    expect(replanAtOdometer(dues, 20_000)).toBe(20_010);
  });

  test('the sooner of day and distance decides', () => {
    const near = { dueDate: day(300), dueOdometer: 20_400 };
    const far = { dueDate: day(3), dueOdometer: 90_000 };
    expect(forecastDue(near, driven(20_000), today)).toMatchObject({
      status: 'due_soon',
      forecastDate: day(10),
      soonest: day(10),
    });
    expect(forecastDue(far, driven(20_000), today)).toMatchObject({
      status: 'due_soon',
      forecastDate: day(1_750),
      soonest: day(3),
    });
    expect(forecastDue({ ...far, dueDate: day(-1) }, driven(20_000), today).status).toBe('overdue');
  });

  test('nothing known is planned, without a day', () => {
    expect(forecastDue({}, driven(5), today)).toEqual({ status: 'planned' });
    expect(forecastDue({ dueOdometer: 5 }, undefined, today)).toEqual({ status: 'planned' });
  });
});

describe('forecast', () => {
  test('runs on from the day of the reading', () => {
    const due = { dueOdometer: 24_000 };
    expect(forecastDue(due, driven(20_000, 40, day(-10)), today).forecastDate).toBe(day(90));
    expect(forecastDue(due, driven(20_000, 40, day(0)), today).forecastDate).toBe(day(100));
    expect(forecastDue(due, driven(20_000, 40, day(2)), today).forecastDate).toBe(day(100));
  });

  test('of a vehicle not heard of for so long that it must have got there, is past: overdue', () => {
    const forecast = forecastDue({ dueOdometer: 24_000 }, driven(20_000, 40, day(-102)), today);
    expect(forecast).toEqual({ status: 'overdue', forecastDate: day(-2), soonest: day(-2) });
  });

  test('of a vehicle that stands still, is none, or today when it has got there', () => {
    const at = (km: number) => forecastDue({ dueOdometer: 20_000 + km }, driven(20_000, 0), today);
    expect(at(2_000)).toEqual({ status: 'planned' });
    expect(at(1_000)).toEqual({ status: 'due_soon' });
    expect(at(0)).toEqual({ status: 'due_soon', forecastDate: today, soonest: today });
    expect(at(-1)).toEqual({ status: 'overdue', forecastDate: today, soonest: today });
  });

  test('crosses a leap day', () => {
    const leap = (from: string) => forecastDue({ dueOdometer: 80 }, driven(0), from).forecastDate;
    expect(leap('2028-02-28')).toBe('2028-03-01');
    expect(leap('2027-02-28')).toBe('2027-03-02');
  });

  test('is a date within the years that can be written, whatever the numbers', () => {
    const km = fc.double({ min: 0, max: 1.7e308, noNaN: true });
    const dates = fc
      .date({
        min: new Date('0001-01-01T00:00:00Z'),
        max: new Date('9999-12-31T00:00:00Z'),
        noInvalidDate: true,
      })
      .map((date) => date.toISOString().slice(0, 10));
    fc.assert(
      fc.property(km, km, km, dates, dates, (dueOdometer, odometer, kmPerDay, dueDate, readOn) => {
        const forecast = forecastDue(
          { dueDate, dueOdometer },
          { odometer, kmPerDay, readOn },
          today,
        );
        const { forecastDate, soonest, status } = forecast;
        if (forecastDate !== undefined) expect(forecastDate).toMatch(/^\d{4}-\d\d-\d\d$/);
        expect(soonest).toBe([dueDate, forecastDate ?? '9999-12-31'].sort()[0]);
        expect(status === 'overdue').toBe((soonest ?? '') < today || odometer > dueOdometer);
      }),
    );
  });
});

describe('average', () => {
  const reading = (days: number, odometer: number) => ({ time: days * dayMs, odometer });

  test.each([
    ['no reading', undefined, undefined, 40],
    ['one reading', reading(0, 500), reading(0, 500), 40],
    ['readings less than a week apart', reading(0, 500), reading(6.99, 5_000), 40],
    ['readings a week apart', reading(0, 500), reading(7, 1_200), 100],
    ['a vehicle that stood still', reading(0, 500), reading(80, 500), 0],
    ['an odometer that ran backwards', reading(0, 9_000), reading(80, 200), 0],
  ])('of %s', (_what, first, last, expected) => {
    expect(averageKmPerDay(first, last)).toBe(expected);
  });
});

describe('review', () => {
  test.each([
    ['nothing that is due by distance', [], 20_000, undefined],
    ['an odometer that is not known', [30_000], undefined, 0],
    ['something far away: for the forecast', [90_000], 20_000, 20_020],
    ['something about to be due soon', [90_000, 21_510], 20_000, 20_010],
    ['something about to be due', [90_000, 20_005], 20_000, 20_005],
    ['something at the very odometer', [20_000], 20_000, 20_000],
    ['something overdue', [19_000], 20_000, 20_020],
  ])('after %s', (_what, dueOdometers, odometer, expected) => {
    const dues = dueOdometers.map((dueOdometer) => ({ dueOdometer }));
    expect(replanAtOdometer(dues, odometer)).toBe(expected);
  });

  test('after very many that are due by distance', () => {
    const dues = Array.from({ length: 200_000 }, (_, index) => ({ dueOdometer: 90_000 + index }));
    expect(replanAtOdometer([...dues, { dueOdometer: 20_005 }], 20_000)).toBe(20_005);
  });

  test('comes no later than the status is another', () => {
    const km = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(fc.array(km, { minLength: 1, maxLength: 5 }), km, km, (dues, from, more) => {
        const statuses = (odometer: number) =>
          dues.map(
            (dueOdometer) => forecastDue({ dueOdometer }, driven(odometer, 0), today).status,
          );
        const reports = dues.map((dueOdometer) => ({ dueOdometer }));
        const review = replanAtOdometer(reports, from) ?? Number.POSITIVE_INFINITY;
        const to = from + more;
        if (to < review) expect(statuses(to)).toEqual(statuses(from));
      }),
    );
  });
});
