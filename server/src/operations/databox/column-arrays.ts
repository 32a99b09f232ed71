/** The parameters that bring columns as arrays, from the one numbered `first` on. */
export function typedArrays(columns: readonly { type: string }[], first: number): string {
  return columns.map(({ type }, index) => `$${first + index}::${type}[]`).join(', ');
}

/** An array in PostgreSQL's own words, of values that need no quotes there; the driver quotes all. */
export function plainArray(values: readonly (number | boolean | string | undefined)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

export function instantsArray(times: readonly (number | undefined)[]): string {
  return plainArray(times.map((time) => time && new Date(time).toISOString()));
}
