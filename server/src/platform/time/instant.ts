/** Truncates to milliseconds: rounding could exceed the year 9999. */
export function toMilliseconds(dateTime: string): string {
  return dateTime.replace(/(\.\d{3})\d+/, '$1');
}

/** The day of an instant, in UTC. */
export function dateOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** SQL for an instant in milliseconds. */
export function millisecondsOf(instant: string): string {
  return `round(date_part('epoch', ${instant}) * 1000)`;
}

/** The calendar date, in UTC, of a time in milliseconds. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
