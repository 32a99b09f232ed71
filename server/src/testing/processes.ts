import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';

/** The processes whose working directory is in a folder (Linux): a PostgreSQL and its children, an initdb. */
export function processesIn(folder: string): { pid: number; uid: number; title: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        if (!readlinkSync(`/proc/${name}/cwd`).startsWith(folder)) return [];
        const title = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
        return title ? [{ pid: Number(name), uid: statSync(`/proc/${name}`).uid, title }] : [];
      } catch {
        // It has exited meanwhile.
        return [];
      }
    });
}
