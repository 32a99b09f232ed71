import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChrome } from '../testing/chrome.ts';
import { type ConsolePage, openConsole, signIn, untilLoaded } from '../testing/console-page.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

const wanted = { id: 'DE*ABC*WANTED', plate: 'HH-WA 8294' };
/** Far from all others. */
const home = { lat: 53.5511, lng: 9.9937 };
const depot = { lat: 48.137, lng: 11.575 };
const zoom = 12;
const degreesOfPixel = 360 / (512 * 2 ** zoom);

/** Without a graphics card, maps are slow. */
const longMs = 300_000;

let service: TestService;
let browser: Browser;
let fleet: string;
beforeAll(async () => {
  // Ten thousand vehicles are written at once.
  service = await startTestService({ statementTimeoutMs: 60_000 });
  fleet = `${service.url}/console/DE-ABC`;
  await put(wanted.id, wanted.plate);
  await report(wanted.id, home);
  for (let index = 0; index < 12; index++) {
    await put(`DE*ABC*DEPOT${index}`, `M-DE ${100 + index}`);
    const { lat, lng } = depot;
    await report(`DE*ABC*DEPOT${index}`, { lat: lat + index / 500, lng: lng + index / 500 });
  }
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const put = (id: string, licensePlate: string) =>
  service.call('PUT', `/${id}`, {
    information: { licensePlate, vendor: 'Zeta', model: 'Golf', evBatteryCapacity: 60 },
  });

type Position = { lat: number; lng: number };

const report = (id: string, location: Position, more: object = {}) =>
  service.call('PUT', `/${id}/status`, {
    timestamp: new Date().toISOString(),
    location,
    fuelLevel: 64,
    ...more,
  });

async function open(
  path: string,
  options: Parameters<typeof openConsole>[2] = {},
): Promise<ConsolePage> {
  const opened = await openConsole(browser, service, {
    viewport: { width: 1_280, height: 800 },
    ...options,
  });
  opened.page.setDefaultTimeout(60_000);
  await opened.page.goto(fleet + path);
  await signIn(opened.page);
  await untilLoaded(opened.page);
  return opened;
}

const placeOf = ({ lat, lng }: Position, at = zoom) =>
  `at=${encodeURIComponent(`${at}/${lat}/${lng}`)}`;

const card = (page: Page) => page.getByRole('region', { name: `Vehicle ${wanted.plate}` });

/** Clicks so many pixels beside the middle of the map. */
async function clickMap(page: Page, right = 0): Promise<void> {
  const box = await page.locator('canvas.maplibregl-canvas').boundingBox();
  if (!box) throw new Error('There is no map');
  await page.mouse.click(box.x + box.width / 2 + right, box.y + box.height / 2);
}

/** Until what is drawn there has been drawn. */
async function openCardAt(page: Page, right = 0): Promise<void> {
  await expect
    .poll(
      async () => {
        await clickMap(page, right);
        await page.waitForTimeout(500);
        return card(page).count();
      },
      { timeout: 90_000 },
    )
    .toBe(1);
}

test('a vehicle is where it is, moves while one looks, and leads to its page', async () => {
  const { page, outside, complaints, close } = await open(`/map?${placeOf(home)}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await openCardAt(page);
  await card(page).getByText('64%').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => card(page).count()).toBe(0);

  // Near the edge the card would stand on the other side.
  const pixels = 120;
  await report(wanted.id, { ...home, lng: home.lng + pixels * degreesOfPixel });
  await openCardAt(page, pixels);
  const before = await card(page).boundingBox();
  await report(wanted.id, home);
  await expect
    .poll(async () => Math.round((before?.x ?? 0) - ((await card(page).boundingBox())?.x ?? 0)))
    .toBe(pixels);

  await card(page).getByRole('link', { name: wanted.plate }).click();
  await page.getByRole('heading', { level: 1, name: wanted.plate }).waitFor();
  await page.goBack();
  await card(page).waitFor();
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('a cluster opens where it is clicked', async () => {
  const { page, complaints, close } = await open(`/map?${placeOf(depot, 5)}`);
  const zoomNow = () =>
    Number(new URL(page.url()).searchParams.get('at')?.split('/')[0] ?? Number.NaN);
  await page.getByText('13 vehicles', { exact: true }).waitFor();
  await expect
    .poll(
      async () => {
        await clickMap(page);
        await page.waitForTimeout(1_500);
        return zoomNow();
      },
      { timeout: 90_000 },
    )
    .toBeGreaterThan(6);
  await page.getByText(/^1[0-2] vehicles in view$/).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('the map and the list share a search, and the list of what is in view takes the keyboard', async () => {
  const { page, complaints, close } = await open('/vehicles?q=wa8294');
  await page.getByRole('link', { name: 'On the map' }).click();
  await page.getByText('1 vehicle', { exact: true }).waitFor();
  expect(await page.getByRole('searchbox').inputValue()).toBe('wa8294');
  const rows = page.getByRole('list', { name: 'In view' }).getByRole('button');
  await expect.poll(() => rows.count()).toBe(1);
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await card(page).waitFor();
  expect(new URL(page.url()).searchParams.get('vehicle')).toBe(wanted.id);

  await page.getByRole('searchbox').fill('M-DE');
  await page.getByText('12 vehicles', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Filter' }).waitFor();
  await page.getByRole('link', { name: 'As a list' }).click();
  await page.getByText('12 vehicles', { exact: true }).waitFor();
  await page.waitForURL(/\/vehicles\?q=M-DE/);
  expect(complaints).toEqual([]);
  await close();
});

test('the track of a day has its stops, with times and lengths', async () => {
  const id = 'DE*ABC*TRACK';
  await put(id, 'B-TR 1');
  const at = (hour: number, minute: number) => new Date(2026, 9, 14, hour, minute).toISOString();
  const drive: [string, number, number][] = [
    [at(8, 0), 0, 100],
    [at(8, 40), 0, 100],
    [at(8, 50), 0.05, 106],
    [at(9, 0), 0.1, 112],
    [at(11, 30), 0.1, 112],
    [at(11, 50), 0, 124],
    [at(12, 0), 0, 124],
  ];
  for (const [timestamp, east, odometer] of drive)
    await report(id, { lat: 52.52, lng: 13.4 + east }, { timestamp, odometer });
  const { page, complaints, outside, close } = await open(`/vehicles/${id}/map?day=2026-10-14`);
  await page.getByText('24 km driven in 40 min').waitFor();
  const stops = page.getByRole('button', { name: /^\d?\s*Stop/ });
  await expect.poll(() => stops.count()).toBe(3);
  const second = page.getByRole('button', { name: /Stop 2/ });
  expect(await second.innerText()).toMatch(/09:00 – 11:30[\s\S]*2 h 30 min/);
  await second.click();
  await expect.poll(() => second.getAttribute('aria-pressed')).toBe('true');
  await page.getByRole('button', { name: 'Day before' }).click();
  await page.getByText('No positions on this day').waitFor();
  expect(page.url()).toContain('day=2026-10-13');
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('without WebGL the page says so, and lists the vehicles', async () => {
  const opened = await openConsole(browser, service);
  await opened.page.addInitScript(`
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind === 'webgl2' ? null : getContext.call(this, kind, ...rest);
    };`);
  await opened.page.goto(`${fleet}/map`);
  await signIn(opened.page);
  await opened.page.getByText('This browser cannot draw the map').waitFor();
  await opened.page.getByRole('button', { name: new RegExp(wanted.plate) }).waitFor();
  await opened.close();
});

const variants = [
  { name: 'light', colorScheme: 'light' as const },
  { name: 'dark', colorScheme: 'dark' as const },
  { name: 'phone', viewport: { width: 390, height: 844 } },
  { name: 'German', locale: 'de-DE' },
];

test.each(variants)(
  'the maps are accessible: $name',
  async ({ name, ...options }) => {
    const { page, violations, outside, complaints, close } = await open(
      `/map?${placeOf(home)}&vehicle=${encodeURIComponent(wanted.id)}`,
      options,
    );
    await page.locator('.maplibregl-popup').waitFor();
    const found: Record<string, string[]> = { map: await violations() };
    const today = `${fleet}/vehicles/${wanted.id}/map`;
    for (const path of [today, `${today}?day=2020-01-01`]) {
      await page.goto(path);
      await untilLoaded(page);
      await page.waitForTimeout(500);
      found[path] = await violations();
      if (options.viewport)
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(
          false,
        );
    }
    expect(Object.entries(found).filter(([, broken]) => broken.length > 0)).toEqual([]);
    expect(outside).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
  longMs,
);

test(
  'ten thousand vehicles are on the map; how fast it pans is printed',
  async () => {
    await makeFleet(service.db, 'DE', 'ABC', 10_000, { hasImages: false });
    const { page, complaints, close } = await open('/map');
    await page.getByText(/^10,0\d\d vehicles$/).waitFor();
    await page.waitForTimeout(5_000);
    const box = await page.locator('canvas.maplibregl-canvas').boundingBox();
    if (!box) throw new Error('There is no map');
    await page.evaluate(`globalThis.frames = []; requestAnimationFrame(function next(time) {
    globalThis.frames.push(time); requestAnimationFrame(next);
  });`);
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    for (let step = 0; step < 180; step++)
      await page.mouse.move(middle.x + 200 * Math.sin(step / 15), middle.y);
    await page.mouse.up();
    const frames = (await page.evaluate('globalThis.frames')) as number[];
    const seconds = ((frames.at(-1) ?? 0) - (frames[0] ?? 0)) / 1_000;
    const rate = Math.round(frames.length / seconds);
    process.stdout.write(
      `Panning 10,000 vehicles: ${rate} frames a second, drawn by the processor.\n`,
    );
    expect(frames.length).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
    await close();
  },
  longMs,
);
