import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser } from '../auth/users.ts';
import { launchChrome } from '../testing/chrome.ts';
import { openConsole, openSignedIn, signIn, untilLoaded } from '../testing/console-page.ts';
import { pdfWith } from '../testing/electronic-invoices.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';
import { upload } from '../testing/uploads.ts';

/** What a person meets first: the overview, the tour of the demo, and papers that are shown. */

const editor = { username: 'erik', password: 'nine otters cross the river' };
const car = { id: 'DE*ABC*FIRST', plate: 'HH-FI 1' };
const damage = {
  title: 'Dent',
  damageType: 'dent',
  severity: 'high',
  repaired: false,
  position: 'front_upper_center_hood',
};

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await startTestService();
  await addUser(service.db, 'DE-ABC', editor.username, editor.password, 'editor');
  await makeFleet(service.db, 'DE', 'ABC', 20, { hasImages: false });
  await service.call('PUT', `/${car.id}`, { information: { licensePlate: car.plate } });
  await service.call('PUT', `/${car.id}/status`, {
    timestamp: new Date().toISOString(),
    odometer: 31_240,
    location: { lat: 53.55, lng: 9.99 },
  });
  await service.call('POST', `/${car.id}/maintenance`, { title: 'Brakes', dueOdometer: 30_000 });
  const report = (title: string, vehicleOperable: boolean) =>
    service.call('POST', `/${car.id}/incidents`, {
      title,
      vehicleOperable,
      isResolved: false,
      damages: [damage],
    });
  const { json: incident } = await report('Broken axle', false);
  await report('Bent hood', true);
  await service.db.query(
    `insert into pgboss.job (name, data, source_name, source_created_on, source_retry_count)
     values ('dead', $1, 'recognise-incident', now(), 12)`,
    [JSON.stringify({ provider: 'DE-ABC', vehicleId: car.id, incidentId: incident.id })],
  );
  const { json: entry } = await service.call('POST', `/${car.id}/logbook`, {
    title: 'Service',
    date: '2026-10-01',
    category: 'service',
  });
  const files = `/${car.id}/blobs/logbook/${entry.id}`;
  const { json: file } = await service.call('POST', files, { filename: 'bill.pdf' });
  const pdf = await pdfWith({}, 'Oil and filter');
  await upload(service, `${files}/${file.uuid}`, pdf);
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

type Options = Parameters<typeof openConsole>[2];

const signedIn = (path = '/', options: Options = {}, user?: typeof editor) =>
  openSignedIn(browser, service, path, options, user);

test('numbers of incidents open the list that they count', async () => {
  const { page, close } = await signedIn();
  await page
    .getByRole('navigation', { name: 'The fleet in numbers' })
    .getByRole('link', { name: /Must not drive/ })
    .click();
  await page.getByText('1 incident', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Broken axle' }).waitFor();
  await page.goBack();
  await page
    .getByRole('navigation', { name: 'Open incidents by severity of damage' })
    .getByRole('link', { name: /High/ })
    .click();
  await page.getByText('2 incidents', { exact: true }).waitFor();
  await close();
});

test('what is new is told where it is known, and not of overdue maintenance or charging', async () => {
  const { page, close } = await signedIn();
  const numbers = page.getByRole('navigation', { name: 'The fleet in numbers' });
  const number = (name: RegExp) => numbers.getByRole('link', { name });
  await number(/Must not drive/)
    .getByText('1 new in 7 days', { exact: true })
    .waitFor();
  await number(/Other open incidents/)
    .getByText('1 new in 7 days', { exact: true })
    .waitFor();
  for (const name of [/Maintenance overdue/, /Charging now/])
    expect(await number(name).textContent()).not.toMatch(/7 days|week/);
  await close();
});

test('what is overdue tells by how much, and the small map leads to the large one', async () => {
  const { page, outside, close } = await signedIn();
  const row = page.getByRole('listitem').filter({ hasText: 'Brakes' });
  await row.getByText('1,240 km over').waitFor();
  const map = page.getByRole('region', { name: 'Where the fleet is' });
  await map.getByText(/^\d+ vehicles? with a position$/).waitFor();
  await expect.poll(() => map.locator('path').first().getAttribute('d')).toMatch(/^M/);
  expect(await map.locator('circle').count()).toBeGreaterThan(0);
  await map.getByRole('link', { name: 'Open the map' }).click();
  await page.waitForURL('**/DE-ABC/map*');
  expect(outside).toEqual([]);
  await close();
});

test('room is kept for plates until they are known, and no ids are shown', async () => {
  const { page, close } = await openConsole(browser, service);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(
    (url) => url.pathname.endsWith('/vehicles'),
    async (route) => {
      if (route.request().postData()?.includes('"asset.id"')) await isAnswered;
      await route.continue();
    },
  );
  await page.goto(`${service.url}/console/DE-ABC`);
  await signIn(page);
  const needs = page.getByRole('listitem').filter({ hasText: 'Broken axle' });
  await needs.first().waitFor();
  await needs.first().locator('[class*="bone"]').waitFor();
  expect(await page.locator('main').getByText(car.id).count()).toBe(0);
  answer();
  await needs.getByText(car.plate).first().waitFor();
  await close();
});

test('an administrator sees what the service has given up, and opens its record; others do not', async () => {
  const { page, violations, close } = await signedIn();
  const failed = page.getByRole('link', { name: `${car.plate} · Text recognition of documents` });
  await failed.waitFor();
  expect(await violations()).toEqual([]);
  await failed.click();
  await page.getByRole('heading', { level: 1, name: 'Broken axle' }).waitFor();
  await close();
  const other = await signedIn('/', {}, editor);
  expect(await other.page.getByText('Failed in the last 7 days').count()).toBe(0);
  expect(other.complaints).toEqual([]);
  await other.close();
});

test('the tour of the demo has five steps by keyboard, and is shown once', async () => {
  const { page, violations, complaints, close } = await signedIn('/', { hasTour: true });
  const tour = page.getByRole('region', { name: 'What needs you today' });
  await tour.waitFor();
  expect(await violations()).toEqual([]);
  await tour.getByRole('button', { name: 'Next' }).focus();
  for (const path of ['/map', '/vehicles', '/incidents', '/maintenance']) {
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/DE-ABC${path}*`);
  }
  await page.getByRole('button', { name: 'Done' }).press('Enter');
  expect(await page.getByText(/^Tour of the demo/).count()).toBe(0);
  await page.reload();
  await untilLoaded(page);
  expect(await page.getByText(/^Tour of the demo/).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('the tour is small on pages that a step is not about, and can be skipped on a phone', async () => {
  const viewport = { width: 390, height: 844 };
  const { page, violations, close } = await signedIn('/', { hasTour: true, viewport });
  await page.getByText('Tour of the demo, 1 of 5').waitFor();
  expect(await violations()).toEqual([]);

  await page.getByRole('link', { name: 'Incidents', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
  const reminder = page.getByRole('region', { name: 'Tour of the demo, 1 of 5' });
  const { height = 0 } = (await reminder.boundingBox()) ?? {};
  expect(height).toBeLessThan(48);
  expect(await page.getByText('What needs you today').count()).toBe(0);
  expect(await violations()).toEqual([]);
  await reminder.getByRole('button', { name: 'Tour of the demo, 1 of 5' }).click();
  await page.getByRole('region', { name: 'What needs you today' }).waitFor();

  await page.getByRole('button', { name: 'Skip the tour' }).last().click();
  expect(await page.getByText(/^Tour of the demo/).count()).toBe(0);
  await close();
});

test('a PDF of the logbook is shown page by page, without a request to elsewhere', async () => {
  const { page, outside, complaints, violations, close } = await signedIn(
    `/vehicles/${car.id}/logbook`,
  );
  await page.getByRole('button', { name: 'Show bill.pdf' }).click();
  const dialog = page.getByRole('dialog', { name: 'bill.pdf' });
  await dialog.getByRole('img', { name: 'bill.pdf, page 1' }).waitFor();
  await dialog.getByText('1 page', { exact: true }).waitFor();
  await dialog.getByRole('button', { name: 'Save file' }).waitFor();
  expect(await violations()).toEqual([]);
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});

test('maintenance that is overdue by distance alone comes before what is due later', async () => {
  for (let number = 1; number <= 9; number++)
    await service.call('POST', `/${car.id}/maintenance`, {
      title: `Wash ${number}`,
      dueDate: `2041-05-0${number}`,
    });
  const { page, close } = await signedIn(`/vehicles/${car.id}`);
  const next = page.getByRole('region', { name: 'Next maintenance' }).getByRole('listitem');
  await next.first().getByText('Brakes').waitFor();
  await close();
});

test('vehicles are selected on a phone', async () => {
  const viewport = { width: 390, height: 844 };
  const { page, violations, close } = await signedIn('/vehicles?q=HH-FI', { viewport });
  await page.getByRole('checkbox', { name: car.id }).click();
  await page.getByText('1 selected').waitFor();
  await page.getByRole('button', { name: 'Put into service' }).waitFor();
  expect(await violations()).toEqual([]);
  await close();
});

test('what needs somebody is counted also beyond what is listed', async () => {
  for (let number = 1; number <= 60; number++)
    await service.call('POST', '/invoices', {
      number: `N-${number}`,
      supplier: { name: 'Wash and Go' },
      issueDate: '2026-10-01',
      currency: 'EUR',
      lines: [{ text: 'Wash', unitPrice: '10', vatRate: '19', kind: 'other' }],
    });
  const { page, violations, close } = await signedIn();
  const needs = page.getByRole('region', { name: 'Needs you' });
  await needs.getByRole('button', { name: /^Show \d+ more$/ }).click();
  await needs.getByText('10 more are in the lists behind the numbers above.').waitFor();
  const listed = await needs.getByRole('listitem').count();
  await needs.getByText(String(listed + 10), { exact: true }).waitFor();
  expect(await violations()).toEqual([]);
  await close();
});

test('the largest content of the overview is painted; when, is printed', async () => {
  const { page, close } = await signedIn();
  await page.reload();
  await untilLoaded(page);
  const paintedMs = await page.evaluate<number>(
    `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime))
      .observe({ type: 'largest-contentful-paint', buffered: true }))`,
  );
  process.stdout.write(`Largest contentful paint of the overview: ${Math.round(paintedMs)} ms\n`);
  expect(paintedMs).toBeGreaterThan(0);
  await close();
});
