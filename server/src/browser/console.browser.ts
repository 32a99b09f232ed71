import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChrome } from '../testing/chrome.ts';
import {
  type ConsolePage,
  openConsole,
  openSignedIn,
  signIn,
  untilLoaded,
} from '../testing/console-page.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** Without a graphics card, maps are slow. */
const longMs = 300_000;

const wanted = { id: 'DE*ABC*WANTED', plate: 'HH-WA 8294', vendor: 'Zeta' };

let service: TestService;
let browser: Browser;
let fleet: string;
beforeAll(async () => {
  service = await startTestService();
  fleet = `${service.url}/console/DE-ABC`;
  await makeFleet(service.db, 'DE', 'ABC', 130, { hasImages: false });
  const { plate: licensePlate, vendor } = wanted;
  await service.call('PUT', `/${wanted.id}`, {
    information: { licensePlate, vendor, model: 'Golf', evBatteryCapacity: 60 },
  });
  await service.call('PUT', `/${wanted.id}/status`, {
    timestamp: new Date().toISOString(),
    odometer: 12_345,
    fuelLevel: 15,
    isPluggedIn: false,
    doorsClosed: false,
    isLocked: true,
    tirePressureFrontLeft: 2.4,
  });
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const signedIn = (options?: Parameters<typeof openSignedIn>[3], path = '/') =>
  openSignedIn(browser, service, path, options);

test('a manager finds a car by half its plate, opens it, and comes back to the same place', async () => {
  const { page, outside, complaints, close } = await signedIn({}, '/vehicles');
  const search = page.getByRole('searchbox');
  await search.fill('wa8294');
  await page.getByText('1 vehicle', { exact: true }).waitFor();
  await page.getByRole('link', { name: wanted.plate }).click();
  await page.getByRole('heading', { level: 1, name: wanted.plate }).waitFor();
  await page.getByText('2.4 bar').waitFor();
  expect(await page.getByText('Doors open').count()).toBe(1);
  await page.goBack();
  await page.getByText('1 vehicle', { exact: true }).waitFor();
  expect(await search.inputValue()).toBe('wa8294');

  await page.goto(`${fleet}/vehicles?sort=-information.vendor&page=1`);
  await untilLoaded(page);
  const table = page.getByRole('region', { name: 'Vehicles' });
  await table.evaluate((element) =>
    (element as unknown as { scrollTo(x: number, y: number): void }).scrollTo(0, 600),
  );
  const place = () =>
    table.evaluate((element) => (element as unknown as { scrollTop: number }).scrollTop);
  const before = await place();
  expect(before).toBeGreaterThan(0);
  await page.getByRole('link', { name: /.+/ }).and(page.locator('[data-row]')).nth(30).click();
  await page.getByRole('link', { name: 'Vehicles' }).last().waitFor();
  await page.waitForURL(/\/vehicles\/DE/);
  await page.goBack();
  await expect.poll(place).toBe(before);
  expect(page.url()).toContain('sort=-information.vendor&page=1');
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('the keyboard reaches pages, vehicles and rows', async () => {
  const { page, complaints, close } = await signedIn();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog');
  await palette.getByRole('textbox').fill(wanted.plate);
  await palette.getByRole('button', { name: wanted.plate }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: wanted.plate }).waitFor();

  await page.goto(`${fleet}/vehicles`);
  await untilLoaded(page);
  await page.keyboard.press('/');
  expect(await page.evaluate('document.activeElement.type')).toBe('search');
  await page.keyboard.type('Zeta');
  await page.getByText('1 vehicle', { exact: true }).waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/vehicles/${wanted.id}`);
  expect(complaints).toEqual([]);
  await close();
});

test('a number of the overview opens the list behind it', async () => {
  const { page, close } = await signedIn();
  const count = page.getByRole('link', { name: /Battery low, not plugged in/ });
  const shown = Number.parseInt((await count.innerText()).trim(), 10);
  expect(shown).toBeGreaterThan(0);
  await count.click();
  await page.getByText(new RegExp(`^${shown} vehicles?$`)).waitFor();
  await page.getByRole('link', { name: wanted.plate }).waitFor();
  await close();
});

test('a change by somebody else appears by itself', async () => {
  const { page, close } = await signedIn({}, `/vehicles/${wanted.id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  const { plate: licensePlate, vendor } = wanted;
  await service.call('PUT', `/${wanted.id}`, {
    information: { licensePlate, vendor, model: 'Renamed', evBatteryCapacity: 60 },
  });
  await page.getByText('Zeta Renamed').first().waitFor();
  await close();
});

test('a reload stays signed in, and a sign-out ends the session', async () => {
  const { page, close } = await signedIn();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.getByRole('button', { name: 'Menu of demo' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Open a fleet' }).waitFor();
  await page.getByRole('link', { name: 'DE-ABC' }).click();
  await page.locator('input[name="username"]').waitFor();
  await close();
});

test('what is not there is said in words, with the id of the request', async () => {
  const { page, close } = await signedIn({}, '/vehicles/DE*ABC*NONE');
  await page.getByRole('alert').getByText('It is not there').waitFor();
  await page
    .getByRole('alert')
    .getByRole('button', { name: /^Copy [0-9a-f-]{36}$/ })
    .waitFor();
  await page.goto(`${service.url}/console/DE-NON`);
  await page.getByText('There is no such fleet').waitFor();
  await close();
});

test('the first load takes at most 350 kB of scripts', async () => {
  const { scriptBytes, close } = await signedIn();
  const bytes = await scriptBytes();
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(350_000);
  await close();
});

const pages = [
  '/',
  '/map',
  '/vehicles',
  '/vehicles?q=nothing',
  `/vehicles/${wanted.id}`,
  `/vehicles/${wanted.id}/nothing`,
  '/settings',
  '/nowhere',
];
const variants = [
  { name: 'light', colorScheme: 'light' as const },
  { name: 'dark', colorScheme: 'dark' as const },
  { name: 'phone', viewport: { width: 390, height: 844 } },
  { name: 'dark phone', colorScheme: 'dark' as const, viewport: { width: 390, height: 844 } },
  { name: 'German', locale: 'de-DE' },
];

test.each(variants)(
  'every page is accessible: $name',
  async ({ name, ...options }) => {
    const { page, violations, outside, complaints, close } = await openConsole(
      browser,
      service,
      options,
    );
    await page.goto(`${service.url}/console`);
    await untilLoaded(page);
    const found: Record<string, string[]> = { providers: await violations() };
    await page.goto(fleet);
    await signIn(page);
    for (const path of pages) {
      await page.goto(fleet + path);
      await untilLoaded(page);
      found[path] = await violations();
      if (options.viewport) expect(await isWiderThanScreen(page), path).toBe(false);
    }
    await page.goto(fleet);
    await untilLoaded(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill('Golf');
    await page.waitForTimeout(800);
    found.palette = await violations();
    expect(Object.entries(found).filter(([, broken]) => broken.length > 0)).toEqual([]);
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
    if (options.locale)
      expect(await page.getByRole('link', { name: 'Fahrzeuge' }).count()).toBeGreaterThan(0);
    await close();
  },
  longMs,
);

const isWiderThanScreen = (page: ConsolePage['page']): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > innerWidth');
