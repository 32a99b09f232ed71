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

/** The offsets of a time zone in a period, from its begin on. */
export function offsetsIn(timeZone: string, begin: Date, end: Date): Offsets {
  const offsets = { times: [begin], seconds: [offsetSeconds(timeZone, begin.getTime())] };
  for (let year = begin.getUTCFullYear(); year <= end.getUTCFullYear(); year += 1)
    for (const { time, seconds } of changesIn(timeZone, year)) {
      if (time <= begin || time >= end) continue;
      offsets.times.push(time);
      offsets.seconds.push(seconds);
    }
  return offsets;
}

type Change = { time: Date; seconds: number };

/** Of the offset, by time zone and year. */
const changes = new LRUCache<string, readonly Change[]>(atMost(1_000));

function changesIn(timeZone: string, year: number): readonly Change[] {
  const key = `${timeZone} ${year}`;
  const known = changes.get(key);
  if (known) return known;
  const found = findChanges(timeZone, year);
  changes.set(key, found);
  return found;
}

/** Two changes within less are taken as one: there were such in Freetown in 1939, and have been nowhere since charging began. */
const weekSeconds = (7 * DAY_MS) / 1_000;

function findChanges(timeZone: string, year: number): Change[] {
  const offsetAt = (second: number) => offsetSeconds(timeZone, second * 1_000);
  const beginOf = (one: number) => new Date(0).setUTCFullYear(one, 0, 1) / 1_000;
  const end = beginOf(year + 1);
  const found: Change[] = [];
  let before = offsetAt(beginOf(year));
  for (let from = beginOf(year); from < end; from += weekSeconds) {
    let [unchanged, changed] = [from, Math.min(from + weekSeconds, end)];
    const seconds = offsetAt(changed);
    if (seconds === before) continue;
    while (changed - unchanged > 1) {
      const middle = Math.floor((unchanged + changed) / 2);
      if (offsetAt(middle) === before) unchanged = middle;
      else changed = middle;
    }
    found.push({ time: new Date(changed * 1_000), seconds });
    before = seconds;
  }
  return found;
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
