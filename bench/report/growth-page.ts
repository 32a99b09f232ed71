import { readFile, writeFile } from 'node:fs/promises';

/** Replaces the figures of a section; the rest of the page is written by hand. */
export async function fillGrowthPage(
  file: string,
  section: 'processes' | 'cluster' | 'telemetry',
  tables: string,
): Promise<void> {
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const page = await readFile(file, 'utf8').catch(() => undefined);
  if (page === undefined) return;
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${file} has no place for: ${section}`);
  await writeFile(file, `${before}${begin}\n\n${tables}\n\n${end}${after}`);
}
