import type { Manifest } from '../platform/backup/format.ts';

/** Such as "1,024 rows of 60 tables, 3 waiting jobs and 12 files (8 MB)". */
export function describeContent({ tables: { jobs, ...tables }, files }: Manifest): string {
  const counts = Object.values(tables).map(({ count }) => count);
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const megabytes = Math.ceil(files.bytes / 1_000_000);
  return (
    `${counted(rows, 'row')} of ${counted(counts.length, 'table')}, ` +
    `${counted(jobs?.count ?? 0, 'waiting job')} and ` +
    `${counted(files.count, 'file')} (${megabytes.toLocaleString('en')} MB)`
  );
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
