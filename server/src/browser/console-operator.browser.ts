import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchChrome } from '../testing/chrome.ts';
import { openConsole, signIn, untilLoaded } from '../testing/console-page.ts';
import { coveredTile, mapTilesFile } from '../testing/map-tiles-file.ts';
import { type OpenIdServer, startOpenIdServer } from '../testing/start-openid-server.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** What the operator sets: another authorization server, and maps with streets. */

type ServiceOptions = Parameters<typeof startTestService>[0];

const car = { id: 'DE*ABC*CAR', plate: 'HH-OP 1' };
const streets = { r: 200, g: 30, b: 160 };
const water = '#d3e0ea';

let browser: Browser;
let folder: string;
let streetsTile: Buffer;
beforeAll(async () => {
  browser = await launchChrome();
  folder = await mkdtemp(join(tmpdir(), 'motorpool-test-maps-'));
  const create = { width: 256, height: 256, channels: 3 as const, background: streets };
  streetsTile = await sharp({ create }).png().toBuffer();
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true });
});

let service: TestService | undefined;
let openId: OpenIdServer | undefined;
let mapServer: Server | undefined;
afterEach(async () => {
  await service?.stop();
  await openId?.close();
  mapServer?.close();
  mapServer?.closeAllConnections();
  service = openId = mapServer = undefined;
});

async function start(options: ServiceOptions): Promise<TestService> {
  service = await startTestService(options);
  return service;
}

/** A service that asks another authorization server who people are. */
async function startWithIssuer(): Promise<{ url: string; issuer: string }> {
  const issuer = await startOpenIdServer(() => service?.url ?? '');
  openId = issuer;
  const { url } = await start({
    authIssuer: issuer.template,
    authAudience: ['fleet-interface'],
    defaultRole: 'viewer',
  });
  return { url, issuer: new URL(issuer.template).origin };
}

test('people sign in at the external issuer, with the roles that it gives them, and sign out there', async () => {
  const { url, issuer } = await startWithIssuer();
  const { page, outside, complaints, close } = await openConsole(browser, { url });
  await page.goto(`${url}/console/DE-ABC/vehicles`);
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(page.url()).toContain(`${issuer}/realms/DE-ABC/`);
  await signIn(page, { username: 'admin', password: 'any' });
  await untilLoaded(page);
  expect(page.url()).toBe(`${url}/console/DE-ABC/vehicles`);
  await page.getByText('Live', { exact: true }).waitFor();
  expect(new Set(outside.map((address) => new URL(address).origin))).toEqual(new Set([issuer]));

  // The tokens are in memory alone: the session at the issuer answers for them.
  await page.reload();
  await untilLoaded(page);
  await page.getByRole('button', { name: 'Menu of admin' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.getByRole('heading', { level: 1, name: 'Open a fleet' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('whose token of the external issuer has no role is shown what the default role may do', async () => {
  const { url } = await startWithIssuer();
  const { page, complaints, close } = await openConsole(browser, { url });
  await page.goto(`${url}/console/DE-ABC/incidents`);
  await signIn(page, { username: 'nobody', password: 'any' });
  await untilLoaded(page);
  await page.getByRole('button', { name: 'Menu of nobody' }).click();
  await page.getByText('Viewer').waitFor();
  expect(await page.getByText('Report incident').count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

/** Opens the map of a fleet of one car. */
async function openMap({ url, call }: TestService) {
  await call('PUT', `/${car.id}`, { information: { licensePlate: car.plate } });
  await call('PUT', `/${car.id}/status`, {
    timestamp: new Date().toISOString(),
    location: { lat: 50, lng: 10 },
  });
  const opened = await openConsole(browser, { url }, { colorScheme: 'light' });
  await opened.page.goto(`${url}/console/DE-ABC/map?at=${encodeURIComponent('4/50/10')}`);
  await signIn(opened.page);
  await untilLoaded(opened.page);
  return opened;
}

/** The colour of the map at some distance from the car, and from the controls. */
async function colourOfMap(page: Page): Promise<string> {
  const picture = await page.locator('canvas.maplibregl-canvas').screenshot();
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.round(info.height / 3) * info.width + Math.round(info.width / 3)) * 3;
  return `#${data.subarray(at, at + 3).toString('hex')}`;
}

const streetsColour = `#${Buffer.from(Object.values(streets)).toString('hex')}`;

test('a style of another server is drawn, with its tiles, and nothing else is requested there', async () => {
  const asked: string[] = [];
  const server = createServer();
  mapServer = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tiles = [`${origin}/{z}/{x}/{y}.png`];
  const style = {
    version: 8,
    sources: { streets: { type: 'raster', tileSize: 256, tiles } },
    layers: [{ id: 'streets', type: 'raster', source: 'streets' }],
  };
  server.on('request', ({ url: path = '' }, response) => {
    asked.push(path);
    response.setHeader('access-control-allow-origin', '*');
    const isTile = path.endsWith('.png');
    response.setHeader('content-type', isTile ? 'image/png' : 'application/json');
    response.end(isTile ? streetsTile : JSON.stringify(style));
  });
  const started = await start({ map: { styleUrl: `${origin}/style.json?key=1` } });
  const { page, outside, complaints, close } = await openMap(started);
  await expect.poll(() => colourOfMap(page)).toBe(streetsColour);
  await page.getByText('1 vehicle', { exact: true }).waitFor();
  expect(new Set(outside.map((address) => new URL(address).origin))).toEqual(new Set([origin]));
  expect(new Set(asked.map((path) => path.replace(/^\/\d+\/\d+\/\d+/, '')))).toEqual(
    new Set(['/style.json?key=1', '.png']),
  );
  expect(complaints).toEqual([]);
  await close();
});

test('a style that cannot be had leaves the map of the console', async () => {
  const started = await start({ map: { styleUrl: 'http://127.0.0.1:9/style.json' } });
  const { page, close } = await openMap(started);
  await page.getByText('1 vehicle', { exact: true }).waitFor();
  await page.getByText('Natural Earth').waitFor({ state: 'attached' });
  await close();
});

test.each([
  { kind: 'png' as const, tile: () => streetsTile, colour: streetsColour },
  { kind: 'vector' as const, tile: () => coveredTile('water'), colour: water },
])('a file of $kind tiles is drawn, from the service alone', async ({ kind, tile, colour }) => {
  const tilesFile = join(folder, `${kind}.pmtiles`);
  await writeFile(tilesFile, mapTilesFile(kind, tile()));
  const started = await start({ map: { tilesFile } });
  const { page, outside, complaints, close } = await openMap(started);
  await expect.poll(() => colourOfMap(page)).toBe(colour);
  await page.getByText('Our own streets').waitFor({ state: 'attached' });
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
