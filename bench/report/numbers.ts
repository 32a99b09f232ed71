/** Rounded to about three significant figures, with thousands separators. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  if (value === 0) return '0';
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

export function ratio(ours: number, theirs: number | undefined): string {
  if (theirs === undefined) return '';
  const value = ours / theirs;
  return Number.isFinite(value) ? `× ${figure(value)}` : '–';
}

/** A Markdown table; the first column is text, the others are numbers. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map(line),
  ].join('\n');
}
