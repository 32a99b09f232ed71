/** In SQL: an instant in milliseconds. */
export function millisecondsOf(instant: string): string {
  return `round(date_part('epoch', ${instant}) * 1000)`;
}
