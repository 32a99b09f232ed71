import { mkdir, rm } from 'node:fs/promises';
import { launchChrome } from '../server/src/testing/chrome.ts';

/**
 * Takes a picture of every page of the console in both themes, on a laptop and a phone, and in German, from the demo
 * at MOTORPOOL_URL. Look at each of them.
 */

type Browser = Awaited<ReturnType<typeof launchChrome>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const url = process.env.MOTORPOOL_URL ?? 'http://127.0.0.1:8080';
const folder = new URL('../screenshots/', import.meta.url);
const fleet = `${url}/console/DE-ABC`;

const pages: { name: string; path: string; prepare?: (page: Page) => Promise<void> }[] = [
  { name: 'overview', path: '/' },
  { name: 'vehicles', path: '/vehicles' },
  {
    name: 'vehicles-filtered',
    path: `/vehicles?q=golf&filter=${encodeURIComponent('["status.odometer:gte:1000"]')}&sort=-status.odometer`,
  },
  { name: 'vehicles-none', path: '/vehicles?q=nothing-like-it' },
  {
    name: 'vehicle',
    path: '/vehicles',
    prepare: async (page) => {
      await page.locator('a[data-row]').first().click();
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  },
  { name: 'vehicle-new', path: '/vehicles/new' },
  { name: 'vehicle-edit', path: '/vehicles/DE*ABC*V0001/edit' },
  { name: 'incidents', path: '/incidents' },
  {
    name: 'incident',
    path: '/incidents?q=crossing',
    prepare: async (page) => {
      await page.locator('a[data-row]').first().click();
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  },
  {
    name: 'incident-damage',
    path: '/incidents?q=crossing',
    prepare: async (page) => {
      await page.locator('a[data-row]').first().click();
      await page.locator('[class*="damageMain"]').first().click();
    },
  },
  { name: 'incident-new', path: '/incidents/new' },
  { name: 'map', path: '/map' },
  {
    name: 'map-card',
    path: '/map?q=golf',
    prepare: async (page) => {
      await page
        .getByRole('button', { name: 'list' })
        .click({ timeout: 2_000 })
        .catch(() => {});
      await page.locator('[data-row]').first().click();
      await page.waitForTimeout(3_000);
    },
  },
  { name: 'track', path: '/vehicles/DE*ABC*V0001/map' },
  {
    name: 'vehicles-selected',
    path: '/vehicles',
    prepare: async (page) => {
      const boxes = page.getByRole('checkbox');
      if ((await boxes.count()) > 2) await boxes.nth(1).click();
    },
  },
  ...[
    'profile',
    'schedules',
    'checklists',
    'boxes',
    'import',
    'clients',
    'people',
    'webhooks',
    'audit',
  ].map((section) => ({ name: `settings-${section}`, path: `/settings/${section}` })),
  ...['maintenance', 'logbook', 'checklist', 'invoices', 'drivers'].map((tab) => ({
    name: `vehicle-${tab}`,
    path: `/vehicles/DE*ABC*V0001/${tab}`,
  })),
  { name: 'vehicle-charging', path: '/vehicles/DE*ABC*V0055/charging' },
  { name: 'maintenance', path: '/maintenance' },
  { name: 'maintenance-calendar', path: '/maintenance?view=calendar' },
  {
    name: 'maintenance-report',
    path: '/maintenance?status=overdue',
    prepare: async (page) => {
      await page.locator('a[data-row]').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'invoices', path: '/invoices' },
  {
    name: 'invoice',
    path: '/invoices?status=open',
    prepare: async (page) => {
      await page.locator('a[data-row]').first().click();
      await page.waitForURL(/invoices\/[0-9a-f-]{36}/);
    },
  },
  { name: 'costs', path: '/invoices/costs' },
  {
    name: 'reference',
    path: '/',
    prepare: async (page) => {
      await page.goto(`${url}/docs?realm=DE-ABC`);
      await page.locator('.opblock').first().waitFor();
    },
  },
  { name: 'vehicle-missing', path: '/vehicles/DE*ABC*NONE' },
  { name: 'no-page', path: '/nowhere' },
  {
    name: 'palette',
    path: '/',
    prepare: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('textbox').fill('golf');
    },
  },
];

const variants = [
  { name: 'light', width: 1_440, height: 900 },
  { name: 'dark', width: 1_440, height: 900, colorScheme: 'dark' as const },
  { name: 'tablet', width: 1_024, height: 768 },
  { name: 'phone', width: 390, height: 844 },
  { name: 'phone-dark', width: 390, height: 844, colorScheme: 'dark' as const },
  { name: 'german', width: 1_440, height: 900, locale: 'de-DE' },
];

// Of these variants and pages; of all when none is named.
const named = process.argv.slice(2);
const isWanted = (name: string, among: readonly { name: string }[]) => {
  const asked = named.filter((one) => among.some((known) => known.name === one));
  return asked.length === 0 || asked.includes(name);
};
if (named.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const browser = await launchChrome();
for (const variant of variants) {
  if (isWanted(variant.name, variants)) await takeAll(browser, variant);
}
await browser.close();
process.stdout.write(`The pictures are in ${folder.pathname}.\n`);

async function takeAll(browser: Browser, variant: (typeof variants)[number]): Promise<void> {
  const { name, width, height, colorScheme = 'light', locale = 'en-GB' } = variant;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, locale });
  await context.addInitScript('localStorage.setItem("motorpool-tour", "5")');
  const page = await context.newPage();
  page.setDefaultTimeout(90_000);
  const take = async (what: string) =>
    page.screenshot({ path: new URL(`${what}-${name}.png`, folder).pathname });
  await page.goto(`${url}/console`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await take('providers');
  await page.goto(fleet);
  await page.locator('input[name="username"]').fill('demo');
  await page.locator('input[name="password"]').fill('demo');
  await page.locator('form button').click();
  for (const { name: what, path, prepare } of pages) {
    if (!isWanted(what, pages)) continue;
    await page.goto(fleet + path);
    await page.locator('main h1, main h2').first().waitFor();
    await settle(page);
    await prepare?.(page);
    await settle(page);
    await take(what);
  }
  await context.close();
}

/** Streams stay open, so that the network is never idle: nothing must be loading any more. */
async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(700);
  const loading = page.locator('[aria-busy="true"], [class*="bone"]');
  while ((await loading.count()) > 0) await page.waitForTimeout(100);
  // What is on a map appears after the map.
  if ((await page.locator('canvas').count()) > 0) await page.waitForTimeout(2_000);
}
