import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChrome } from '../testing/chrome.ts';
import { openConsole, signIn, untilLoaded } from '../testing/console-page.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** Many tabs of one browser, which has six connections for all of them. */

const car = { id: 'DE*ABC*TABS', plate: 'HH-TA 1001' };

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await startTestService();
  await rename('One');
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const rename = (model: string) =>
  service.call('PUT', `/${car.id}`, {
    information: { licensePlate: car.plate, vendor: 'Zeta', model },
  });

// Without a window, every page is visible.
const visibility = `Object.defineProperty(document, 'visibilityState', { get: () => window.isHidden ? 'hidden' : 'visible' })`;
const show = (page: Page, isVisible: boolean) =>
  page.evaluate(
    `window.isHidden = ${!isVisible}; document.dispatchEvent(new Event('visibilitychange'))`,
  );

test('tabs in the background hold no connection, and are up to date when they are seen again', async () => {
  const { page, close } = await openConsole(browser, service);
  const context = page.context();
  await context.addInitScript(visibility);
  const url = `${service.url}/console/DE-ABC/vehicles/${car.id}`;
  await page.goto(url);
  await signIn(page);
  await untilLoaded(page);
  await page.getByText('Live', { exact: true }).waitFor();
  await show(page, false);
  for (let opened = 1; opened < 8; opened++) {
    const tab = await context.newPage();
    await tab.goto(url);
    await tab.getByRole('heading', { level: 1, name: car.plate }).waitFor();
    await tab.getByText('Live', { exact: true }).waitFor();
    await show(tab, false);
  }
  await rename('Two');
  await page.waitForTimeout(2_000);
  expect(await page.getByText('Zeta Two').count()).toBe(0);
  await show(page, true);
  await page.getByText('Zeta Two').first().waitFor();
  await rename('Three');
  await page.getByText('Zeta Three').first().waitFor();
  await close();
});
