import { DAY_MS } from '../../../platform/time/duration.ts';

/** Good to half an hour for both countries: 8 hours of daylight in December, 16.5 in June. */
export function isDark(now: Date): boolean {
  const dayOfYear = (now.getTime() - Date.UTC(now.getUTCFullYear(), 0, 1)) / DAY_MS;
  const daylight = 12.2 + 4.2 * Math.cos((2 * Math.PI * (dayOfYear - 172)) / 365.25);
  const hour = now.getUTCHours() + now.getUTCMinutes() / 60;
  const solarNoon = 11.4;
  return Math.abs(hour - solarNoon) > daylight / 2;
}
