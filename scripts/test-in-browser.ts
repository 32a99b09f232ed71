import { spawnSync } from 'node:child_process';
import { findChrome } from '../server/src/testing/chrome.ts';

/** Runs the tests that need a browser, or packages apart from the workspace. */

const chrome = findChrome();
const needNoBrowser = ['keycloak-connect'];
process.stdout.write(
  chrome
    ? `The browser is ${chrome.path}.\n`
    : 'The tests that need a browser are skipped: there is none here. Install Chromium, or set CHROME_PATH.\n',
);
run('npm', ['ci', '--no-audit', '--prefix', 'test-packages/keycloak-connect']);
const files = chrome ? process.argv.slice(2) : needNoBrowser;
run('vitest', ['run', '--config', 'vitest.browser.config.ts', ...files]);

function run(command: string, args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
