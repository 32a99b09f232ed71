import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { testUser } from './global-setup.ts';
import type { TestService } from './test-service.ts';

/** A person at the console, and what their browser did. */
export type ConsolePage = {
  page: Page;
  /** Requests to other origins. */
  outside: string[];
  /** What the page complained of: errors, and breaches of its policy. */
  complaints: string[];
  /** The bytes of scripts as they were sent, each counted once: the browser keeps them. */
  scriptBytes(): Promise<number>;
  /** Rules of accessibility that the page breaks, with the elements. */
  violations(): Promise<string[]>;
  close(): Promise<void>;
};

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
// Best practices apart, what WCAG 2.2 AA asks for.
const runAxe = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
  .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`;

export async function openConsole(
  browser: Browser,
  service: Pick<TestService, 'url'>,
  { hasTour = false, ...options }: BrowserContextOptions & { hasTour?: boolean } = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  // The tour of the demo is shown once: here it has been.
  if (!hasTour) await context.addInitScript('localStorage.setItem("motorpool-tour", "5")');
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const outside: string[] = [];
  const complaints: string[] = [];
  const scripts = new Map<string, Promise<number>>();
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(service.url) && !/^(data|blob):/.test(url)) outside.push(url);
  });
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return;
    // Nobody asks for those of a page that is closed meanwhile.
    const bytes = response.headerValue('content-length').then(Number, () => 0);
    scripts.set(response.url(), scripts.get(response.url()) ?? bytes);
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  return {
    page,
    outside,
    complaints,
    scriptBytes: async () =>
      (await Promise.all(scripts.values())).reduce((sum, one) => sum + one, 0),
    async violations() {
      await page.evaluate(axe);
      return page.evaluate(runAxe);
    },
    close: () => context.close(),
  };
}

/** Signs in with a page that asks for it. */
export async function signIn(page: Page, user = testUser): Promise<void> {
  await page.locator('input[name="username"]').fill(user.username);
  await page.locator('input[name="password"]').fill(user.password);
  await page.locator('form button').first().click();
}

/** Opens a page of the fleet of DE-ABC as somebody who has signed in. */
export async function openSignedIn(
  browser: Browser,
  service: Pick<TestService, 'url'>,
  path: string,
  options: Parameters<typeof openConsole>[2] = {},
  user?: Parameters<typeof signIn>[1],
): Promise<ConsolePage> {
  const opened = await openConsole(browser, service, options);
  await opened.page.goto(`${service.url}/console/DE-ABC${path}`);
  await signIn(opened.page, user);
  await untilLoaded(opened.page);
  return opened;
}

/** Once nothing is loading any more; streams stay open, so that the network is never idle. */
export async function untilLoaded(page: Page): Promise<void> {
  await page.locator('main h1, main h2').first().waitFor();
  const loading = page.locator('[aria-busy="true"], [class*="bone"]');
  do await page.waitForTimeout(250);
  while ((await loading.count()) > 0);
}
