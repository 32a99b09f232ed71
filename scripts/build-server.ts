import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkoutCommit } from '../server/src/platform/checkout-commit.ts';

/** Builds what the package of the server has beyond its sources: Node runs no TypeScript below node_modules. */

const root = join(import.meta.dirname, '..');
const server = join(root, 'server');
const built = join(server, 'dist');

rmSync(built, { recursive: true, force: true });
execFileSync('tsc', ['-p', join(server, 'tsconfig.build.json')], { stdio: 'inherit' });
const commit = checkoutCommit(root);
if (commit !== undefined) writeFileSync(join(built, 'commit.txt'), commit);
for (const file of ['LICENSE', 'NOTICE']) copyFileSync(join(root, file), join(server, file));
