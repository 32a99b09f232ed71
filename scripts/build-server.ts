import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkoutCommit } from '../server/src/platform/checkout-commit.ts';

/** Builds what the package of the server has beyond its sources: Node runs no TypeScript below node_modules. */

const root = join(import.meta.dirname, '..');
const server = join(root, 'server');
const built = join(server, 'dist');

rmSync(built, { recursive: true, force: true });
execFileSync('tsc', ['-p', join(server, 'tsconfig.build.json')], { stdio: 'inherit' });
execFileSync(process.execPath, [join(root, 'console/build-on-install.js')], { stdio: 'inherit' });
cpSync(join(root, 'console/dist'), join(built, 'console'), { recursive: true });
cpSync(join(root, 'docs/guides'), join(built, 'guides'), { recursive: true });
const commit = checkoutCommit(root);
if (commit !== undefined) writeFileSync(join(built, 'commit.txt'), commit);
for (const file of ['LICENSE', 'NOTICE']) copyFileSync(join(root, file), join(server, file));
