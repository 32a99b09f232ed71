import { setImmediate } from 'node:timers/promises';
import { DAY_MS } from './duration.ts';
import { startOfDateIn } from './time-zone.ts';

const daysOfWeek = 7;
const weeksAtOnce = 4;

/** When consecutive calendar dates begin in a time zone; other requests run after so many. */
export async function startsOfDays(timeZone: string, days: readonly string[]): Promise<Date[]> {
  const starts: Date[] = [];
  for (let index = 0; index < days.length; index += daysOfWeek) {
    starts.push(...startsOfWeek(timeZone, days.slice(index, index + daysOfWeek)));
    if (starts.length % (daysOfWeek * weeksAtOnce) === 0) await setImmediate();
  }
  return starts;
}

/** Of a week that is as long as without a change of clocks, each day begins so long after the one before. */
function startsOfWeek(timeZone: string, days: readonly string[]): Date[] {
  const [first = '', last = ''] = [days.at(0), days.at(-1)];
  const start = startOfDateIn(timeZone, first).getTime();
  const length = startOfDateIn(timeZone, last).getTime() - start;
  return length === (days.length - 1) * DAY_MS
    ? days.map((_, index) => new Date(start + index * DAY_MS))
    : days.map((day) => startOfDateIn(timeZone, day));
}
