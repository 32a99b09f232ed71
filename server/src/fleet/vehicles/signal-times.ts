/** The column of a status that says when the value of another one was measured. */
export function timeColumnOf(column: string): string {
  return column === 'lat' || column === 'lng' ? 'location_at' : `${column}_at`;
}
