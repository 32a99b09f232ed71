import type { Manifest } from '../platform/backup/format.ts';

/** Such as "1,024 rows of 60 tables, 3 waiting jobs and 12 files (8 MB)". */
export function describeContent({ tables: { jobs, ...tables }, files }: Manifest): string {
  const counts = Object.values(tables).map(({ count }) => count);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return (
    `${counted(rows, 'row')} of ${counted(counts.length, 'table')}, ` +
    `${counted(jobs?.count ?? 0, 'waiting job')} and ` +
    `${counted(files.count, 'file')} (${sizeOf(files.bytes)})`
  );
}

function sizeOf(bytes: number): string {
  const [unit, name] = bytes < 1_000_000 ? [1_000, 'kB'] : [1_000_000, 'MB'];
  return `${Math.ceil(bytes / unit).toLocaleString('en')} ${name}`;
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
