/** The column of a status that says when the value of another one was measured. */
export function timeColumnOf(column: string): string {
  return column === 'lat' || column === 'lng' ? 'location_at' : `${column}_at`;
}

/** In SQL: an instant in milliseconds. */
export function millisecondsOf(instant: string): string {
  return `round(date_part('epoch', ${instant}) * 1000)`;
}
