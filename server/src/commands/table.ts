/** Prints rows as aligned columns, or as JSON. */
export function printRows(
  rows: readonly Record<string, unknown>[],
  options: { json?: boolean },
): void {
  if (options.json) {
    process.stdout.write(`${withoutControls(JSON.stringify(rows, null, 2))}\n`);
    return;
  }
  const [first] = rows;
  if (!first) {
    process.stdout.write('None.\n');
    return;
  }
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) =>
    cells.reduce((width, line) => Math.max(width, line[column]?.length ?? 0), 0),
  );
  for (const line of cells) {
    process.stdout.write(
      `${line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = Array.isArray(value) ? value.join(' ') || '-' : String(value);
  return onOneLine(text);
}

export function onOneLine(text: string): string {
  return escapeControls(text, /\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/gu);
}

/** Of a text that may have several lines. */
export function withoutControls(text: string): string {
  return escapeControls(text, /(?!\n)\p{Cc}/gu);
}

/** Names are of others, who could otherwise send commands to the terminal, or lines that look like ours. */
function escapeControls(text: string, controls: RegExp): string {
  return text.replaceAll(
    controls,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
