import { readFile, writeFile } from 'node:fs/promises';
import type { Column } from '../parts/growth.ts';
import { processTables } from './report.ts';

const [begin, end] = ['<!-- processes -->', '<!-- /processes -->'];

/** Replaces the figures of the section on processes; the rest of the page is written by hand. */
export async function fillGrowthPage(file: string, columns: readonly Column[]): Promise<void> {
  const page = await readFile(file, 'utf8').catch(() => undefined);
  if (page === undefined) return;
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${file} has no place for the processes`);
  await writeFile(file, `${before}${begin}\n\n${processTables(columns)}\n\n${end}${after}`);
}
