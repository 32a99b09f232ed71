import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkoutCommit } from './checkout-commit.ts';

const packageFolder = join(import.meta.dirname, '../..');
/** Beside the built code, written by scripts/build-server.ts. */
const writtenCommit = join(import.meta.dirname, '../commit.txt');

/** What runs; without the commit where neither the package nor a checkout tells it. */
export const buildInfo: { version: string; commit?: string } = {
  version: JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version,
};
const commit = existsSync(writtenCommit)
  ? readFileSync(writtenCommit, 'utf8')
  : checkoutCommit(join(packageFolder, '..'));
if (commit !== undefined) buildInfo.commit = commit;

/** For people: such as 0.1.0 (6c430d4). */
export const buildName =
  buildInfo.version + (commit === undefined ? '' : ` (${commit.slice(0, 7)})`);
