import { expect, test } from 'vitest';
import { addDays } from '../../../formats/days.ts';
import { forecastBand } from './forecast-band.ts';

const today = '2027-03-31';

/** Daily readings of the last 90 days, with the km of a day in each of the three months. */
function readings(...paces: [number, number, number]) {
  let odometer = 10_000;
  return Array.from({ length: 91 }, (_, index) => {
    if (index > 0) odometer += paces[Math.min(2, Math.floor((index - 1) / 30))] ?? 0;
    return { day: addDays(today, index - 90), odometer };
  });
}

test('the band is between the fastest and the slowest month', () => {
  const history = readings(50, 25, 100);
  const now = history.at(-1)?.odometer ?? 0;
  expect(forecastBand(history, now + 1_000, today)).toEqual({
    from: addDays(today, 10),
    to: addDays(today, 40),
  });
});

test('a vehicle that stood for a month may never reach it', () => {
  const history = readings(50, 0, 50);
  const now = history.at(-1)?.odometer ?? 0;
  expect(forecastBand(history, now + 500, today)).toEqual({ from: addDays(today, 10) });
});

test('there is none without mileage, with too little history, or once it is reached', () => {
  expect(forecastBand([], 10_000, today)).toBeUndefined();
  expect(forecastBand(readings(0, 0, 0), 20_000, today)).toBeUndefined();
  expect(forecastBand(readings(50, 50, 50).slice(-15), 20_000, today)).toBeUndefined();
  expect(forecastBand(readings(50, 50, 50), 10_001, today)).toBeUndefined();
});
