import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChrome } from '../testing/chrome.ts';
import { testUser } from '../testing/global-setup.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await startTestService();
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test.each(['127.0.0.1', 'localhost'])(
  'the user of the demo signs in from the reference at %s, with all fields filled in',
  async (host) => {
    const context = await browser.newContext({ viewport: { width: 1_200, height: 1_000 } });
    const page = await context.newPage();
    page.setDefaultTimeout(90_000);
    const origin = service.url.replace('127.0.0.1', host);
    await page.goto(`${origin}/docs?realm=DE-ABC`);
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    const dialog = page.locator('.modal-ux');
    await dialog.waitFor();
    const filled = await dialog
      .locator('input[data-name="clientId"], input#client_id, input[id^="client_id"]')
      .evaluateAll((fields) =>
        fields.map((field) => (field as unknown as { value: string }).value),
      );
    expect(filled).toEqual(['motorpool-docs', '']);
    const { SCREENSHOT } = process.env;
    if (SCREENSHOT) await page.screenshot({ path: `${SCREENSHOT}-${host}-dialog.png` });

    const popup = page.waitForEvent('popup');
    await dialog.locator('button.authorize').first().click();
    const login = await popup;
    login.setDefaultTimeout(90_000);
    await login.getByLabel('User name').fill(testUser.username);
    await login.getByLabel('Password').fill(testUser.password);
    const closed = login.waitForEvent('close');
    await login.getByRole('button', { name: 'Sign in' }).click();
    await closed;
    await dialog
      .getByRole('button', { name: /remove authorization/i })
      .first()
      .waitFor();
    if (SCREENSHOT) await page.screenshot({ path: `${SCREENSHOT}-${host}-signed-in.png` });
    await dialog.locator('button.btn-done').first().click();

    const operation = page.locator('#operations-Vehicles-findVehicles');
    // Operations are drawn as they are scrolled to.
    await page.mouse.move(600, 500);
    await expect
      .poll(
        async () => {
          await page.mouse.wheel(0, 500);
          return operation.count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    await operation.locator('button').first().click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((response) => response.url().endsWith('/vehicles'));
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = await answered;
    expect(answer.request().headers().authorization).toMatch(/^Bearer /);
    expect(answer.status()).toBe(200);
    await context.close();
  },
);
