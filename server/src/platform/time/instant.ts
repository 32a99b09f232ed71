import { canonicalDateTime } from './date-time.ts';

/** In the canonical form, truncated to milliseconds: rounding could exceed the year 9999. */
export function toMilliseconds(dateTime: string): string {
  return canonicalDateTime(dateTime).replace(/(\.\d{3})\d+/, '$1');
}

/** The calendar date of an instant, in UTC; a number is in milliseconds. */
export function dateOf(instant: Date | number): string {
  return new Date(instant).toISOString().slice(0, 10);
}

/** SQL for an instant in milliseconds. */
export function millisecondsOf(instant: string): string {
  return `round(date_part('epoch', ${instant}) * 1000)`;
}
