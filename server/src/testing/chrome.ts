import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The Chromium of the machine. */
export function chromePath(): string {
  const { CHROME_PATH } = process.env;
  const found = CHROME_PATH ? [CHROME_PATH] : usualPaths;
  const path = found.find((one) => existsSync(one));
  if (path !== undefined) return path;
  throw new Error(
    `These tests need Chromium, and there is none at ${found.join(', ')}: install it (apt install chromium), or set CHROME_PATH.`,
  );
}

export function launchChrome(): Promise<Browser> {
  // Maps are drawn with WebGL, by the processor where there is no graphics card.
  const graphics = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  // Chromium's sandbox refuses to run as root, as in most containers.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath: chromePath(), args: [...graphics, ...sandbox] });
}
