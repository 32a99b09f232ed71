import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';

type Chrome = { path: string; env?: Record<string, string> };

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The browser that CHROME_PATH names, else one of the machine, else that of the package, which has one for x64 alone. */
export function findChrome(): Chrome | undefined {
  const { CHROME_PATH } = process.env;
  if (CHROME_PATH) {
    if (existsSync(CHROME_PATH)) return { path: CHROME_PATH };
    throw new Error(`There is no browser at CHROME_PATH, which is ${CHROME_PATH}.`);
  }
  const path = usualPaths.find((one) => existsSync(one));
  if (path !== undefined) return { path };
  if (process.platform === 'linux' && process.arch === 'x64') return unpackedChrome();
}

export function launchChrome(): Promise<Browser> {
  const chrome = findChrome();
  if (chrome === undefined)
    throw new Error('There is no browser here: install Chromium, or set CHROME_PATH.');
  // Maps are drawn with WebGL, by the processor where there is no graphics card.
  const graphics = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  // Chromium's sandbox refuses to run as root, as in most containers.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath: chrome.path,
    args: [...graphics, ...sandbox],
    env: { ...process.env, ...chrome.env },
  });
}

/** In a folder of the checkout: a program is not run from one where everybody may put files. */
function unpackedChrome(): Chrome {
  const folder = fileURLToPath(new URL('../../../node_modules/.cache/chromium', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const unpack = fileURLToPath(new URL('unpack-chromium-process.ts', import.meta.url));
  // The package adds libraries that small systems lack where it believes to run on Lambda.
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: '24.x' };
  const path = execFileSync(process.execPath, [unpack], { env, encoding: 'utf8' });
  const libraries = join(dirname(path), 'al2023/lib');
  return {
    path,
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: join(dirname(path), 'fonts') },
  };
}
