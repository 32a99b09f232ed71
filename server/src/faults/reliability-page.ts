/** A row of docs/reliability.md: what a test of a fault has shown. */
export type Row = {
  fault: string;
  promise: string;
  figure: string;
  /** The file of the test, relative to the repository. */
  file: string;
  /** The day of the run. */
  measured: string;
};

/** The rows of a page: those of files that were not run stay. */
export function parseRows(page: string): Row[] {
  return page.split('\n').flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|'));
    const [, fault = '', promise = '', figure = '', test = '', measured = ''] = cells;
    const file = /\(\.\.\/(\S+)\)$/.exec(test)?.[1];
    return file ? [{ fault, promise, figure, file, measured }] : [];
  });
}

const keyOf = ({ file, promise }: Row) => `${file} ${promise}`;

/**
 * Rows of a run replace those of the same tests. Of a file that was run, those whose tests are gone are dropped, as are those of
 * files that are gone.
 */
export function mergeRows(
  known: readonly Row[],
  run: readonly Row[],
  isTest: (row: Row) => boolean,
): Row[] {
  const rows = new Map(known.filter(isTest).map((row) => [keyOf(row), row]));
  for (const row of run) rows.set(keyOf(row), row);
  const ofFile = (row: Row) => (row.file.startsWith('server/src/faults/') ? 0 : 1);
  return [...rows.values()].sort((a, b) => ofFile(a) - ofFile(b) || (keyOf(a) < keyOf(b) ? -1 : 1));
}

export function renderPage(rows: readonly Row[], machine: readonly string[]): string {
  const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll('|', '\\|');
  const lines = rows.map(({ fault, promise, figure, file, measured }) => {
    const link = `[${file.split('/').at(-1)}](../${file})`;
    return `| ${[fault, promise, figure, link, measured].map(cell).join(' | ')} |`;
  });
  return `# Reliability

What holds while something is wrong: each row is a test that runs the real service on a real PostgreSQL, and fails when its promise is broken. Written by \`npm run test:faults\`;
\`npm run test:faults -- <file>\` renews the rows of a file. Acknowledged is a write whose answer the client has; *half written* would be one of which a part is stored.

${machine.map((line) => `- ${line}`).join('\n')}

Counts and times depend on the machine and on what else it does; whether a promise holds does not.

| fault | promise | figure | test | measured |
| --- | --- | --- | --- | --- |
${lines.join('\n')}
`;
}
