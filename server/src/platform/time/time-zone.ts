/** Calendar dates in time zones of the IANA database. */

import { LRUCache } from 'lru-cache';
import { atMost } from '../cache-bound.ts';
import { DAY_MS } from './duration.ts';
import { timeZoneLinks } from './time-zone-links.ts';

/** The formats of dates, by time zone; building one is expensive. */
const formats = new LRUCache<string, Intl.DateTimeFormat>(atMost(500));

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZoneName: 'longOffset',
  });
  formats.set(timeZone, made);
  return made;
}

function partsIn(timeZone: string, instant: Date | number): Record<string, string> {
  const parts = formatIn(timeZone).formatToParts(instant);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

/** The calendar date of an instant in a time zone; a number is in milliseconds. */
export function dateIn(timeZone: string, instant: Date | number): string {
  const { year = '', month, day } = partsIn(timeZone, instant);
  return `${year.padStart(4, '0')}-${month}-${day}`;
}

/** When a calendar date begins in a time zone. */
export function startOfDateIn(timeZone: string, date: string): Date {
  const midnight = Date.parse(`${date}T00:00Z`);
  const before = midnight - offsetMs(timeZone, midnight - DAY_MS);
  const after = midnight - offsetMs(timeZone, midnight + DAY_MS);
  if (before === after) return new Date(before);
  // Where clocks change at midnight, it is skipped, or shown twice.
  const first = Math.min(before, after);
  return new Date(dateIn(timeZone, first) < date ? Math.max(before, after) : first);
}

/** When clocks in a time zone show a time, such as 17:20, on a calendar date. */
export function instantIn(timeZone: string, date: string, time: string): Date {
  const shown = Date.parse(`${date}T${time}Z`);
  // The offset may change between that time in UTC and in the zone.
  const guess = shown - offsetMs(timeZone, shown);
  return new Date(shown - offsetMs(timeZone, guess));
}

function offsetMs(timeZone: string, instant: number): number {
  return 1_000 * offsetSeconds(timeZone, instant);
}

/** Formats once, without its parts, which would take three times as long. */
function offsetSeconds(timeZone: string, instant: number): number {
  const [, sign, hours = 0, minutes = 0, seconds = 0] =
    /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(formatIn(timeZone).format(instant)) ?? [];
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -offset : offset;
}

/** Times from each of which on clocks are ahead of UTC by so many seconds. */
type Offsets = { times: Date[]; seconds: number[] };

/** Nowhere do clocks change twice within less. */
const weekSeconds = (7 * DAY_MS) / 1_000;

/** The offsets of a time zone in a period of whole seconds, from its begin on. */
export function offsetsIn(timeZone: string, begin: Date, end: Date): Offsets {
  const offsetAt = (second: number) => offsetSeconds(timeZone, second * 1_000);
  const [first, last] = [begin.getTime() / 1_000, end.getTime() / 1_000];
  const offsets: Offsets = { times: [begin], seconds: [offsetAt(first)] };
  for (let from = first; from < last; from += weekSeconds) {
    const before = offsets.seconds.at(-1);
    let [unchanged, changed] = [from, Math.min(from + weekSeconds, last)];
    const after = offsetAt(changed);
    if (after === before) continue;
    while (changed - unchanged > 1) {
      const middle = Math.floor((unchanged + changed) / 2);
      if (offsetAt(middle) === before) unchanged = middle;
      else changed = middle;
    }
    offsets.times.push(new Date(changed * 1_000));
    offsets.seconds.push(after);
  }
  return offsets;
}

const links = new Map(timeZoneLinks.map((name) => [name.toLowerCase(), name]));

/** The name of a zone as the IANA database spells it, whatever its case; undefined of anything else, such as an offset. */
export function timeZoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    // ICU has zones and aliases of its own, such as ECT.
    if (timeZone.startsWith('SystemV/')) return undefined;
    // What is a link to another zone keeps its name.
    const lowerCase = name.toLowerCase();
    return timeZone.toLowerCase() === lowerCase ? timeZone : links.get(lowerCase);
  } catch {
    return undefined;
  }
}
