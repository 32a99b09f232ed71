import { spawnSync } from 'node:child_process';
import { chromePath } from '../server/src/testing/chrome.ts';

/** Runs the tests that need a browser, or packages apart from the workspace. */

try {
  process.stdout.write(`The browser is ${chromePath()}.\n`);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
run('npm', ['ci', '--no-audit', '--prefix', 'test-packages/keycloak-connect']);
run('vitest', ['run', '--config', 'vitest.browser.config.ts', ...process.argv.slice(2)]);

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
