import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';

type Country = 'DE' | 'FR';

/** Nationwide holidays: fixed ones as MM-DD, and moving ones in days after Easter Sunday. */
const holidays: Record<Country, { fixed: readonly string[]; afterEaster: readonly number[] }> = {
  DE: { fixed: ['01-01', '05-01', '10-03', '12-25', '12-26'], afterEaster: [-2, 1, 39, 50] },
  FR: {
    fixed: ['01-01', '05-01', '05-08', '07-14', '08-15', '11-01', '11-11', '12-25'],
    afterEaster: [1, 39, 50],
  },
};

/** No holidays, but workshops and offices are closed. */
const halfDays = ['12-24', '12-31'];

const countryOf = (isFrench: boolean): Country => (isFrench ? 'FR' : 'DE');

/** Whether offices and workshops are open: neither a weekend nor a holiday of the country. */
export function isWorkday(time: number, isFrench: boolean): boolean {
  const date = new Date(time);
  if (date.getUTCDay() % 6 === 0) return false;
  const { fixed, afterEaster } = holidays[countryOf(isFrench)];
  const day = dateOf(time).slice(5);
  if (fixed.includes(day) || halfDays.includes(day)) return false;
  const days = Math.floor(time / DAY_MS) - easterSunday(date.getUTCFullYear()) / DAY_MS;
  return !afterEaster.includes(days);
}

/** The same moment of the day, on the last workday that is not later. */
export function workdayUntil(time: number, isFrench: boolean): number {
  return isWorkday(time, isFrench) ? time : workdayUntil(time - DAY_MS, isFrench);
}

/** The same moment of the day, on the first workday that is not earlier. */
export function workdayFrom(time: number, isFrench: boolean): number {
  return isWorkday(time, isFrench) ? time : workdayFrom(time + DAY_MS, isFrench);
}

/** By the anonymous Gregorian algorithm. */
function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const rest = year % 100;
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - epact - (rest % 4)) % 7;
  const shift = Math.floor((golden + 11 * epact + 22 * weekday) / 451);
  const day = epact + weekday - 7 * shift + 114;
  return Date.UTC(year, Math.floor(day / 31) - 1, (day % 31) + 1);
}
