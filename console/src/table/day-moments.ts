import { boundsOfDay, dayOf, parseDay } from '../formats/days.ts';
import type { Operator } from './table-search.ts';

/** The moment that a day stands for where the person is: the whole day is at least, and at most, that day. */
export function momentOf(day: string, operator: Operator): string {
  const { from, to } = boundsOfDay(day);
  const isEnd = operator === 'lte' || operator === 'gt';
  return isEnd ? new Date(Date.parse(to) - 1).toISOString() : from;
}

/** The day in which a moment is; what is none stays as it is. */
export function dayIn(moment: string): string {
  const day = parseDay(dayOf(new Date(moment)));
  return moment.includes('T') && day ? day : moment;
}

/** Whether a moment stands for its day. */
export function isOfDay(moment: string, operator: Operator): boolean {
  const day = parseDay(dayIn(moment));
  return day !== undefined && Date.parse(momentOf(day, operator)) === Date.parse(moment);
}
