import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';

const solarNoon = 11.4;

/** Good to half an hour for both countries: 8 hours of daylight in December, 16.5 in June. */
export function isDark(now: Date): boolean {
  const hour = now.getUTCHours() + now.getUTCMinutes() / 60;
  return Math.abs(hour - solarNoon) > daylightHours(now.getTime()) / 2;
}

/** When it becomes dark on the day of a moment. */
export function duskOn(time: number): number {
  const midnight = Math.floor(time / DAY_MS) * DAY_MS;
  return midnight + (solarNoon + daylightHours(time) / 2) * HOUR_MS;
}

function daylightHours(time: number): number {
  const newYear = Date.UTC(new Date(time).getUTCFullYear(), 0, 1);
  const dayOfYear = (time - newYear) / DAY_MS;
  return 12.2 + 4.2 * Math.cos((2 * Math.PI * (dayOfYear - 172)) / 365.25);
}
