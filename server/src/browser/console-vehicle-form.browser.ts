import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser } from '../auth/users.ts';
import { launchChrome } from '../testing/chrome.ts';
import { openSignedIn, untilLoaded } from '../testing/console-page.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

const viewer = { username: 'reader', password: 'a long password of the reader' };
const vin = 'WVWZZZE1ZNP012345';

let service: TestService;
let browser: Browser;
let fleet: string;
beforeAll(async () => {
  service = await startTestService();
  fleet = `${service.url}/console/DE-ABC`;
  await makeFleet(service.db, 'DE', 'ABC', 5, { hasImages: false });
  await addUser(service.db, 'DE-ABC', viewer.username, viewer.password, 'viewer');
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const signedIn = (
  path: string,
  options?: Parameters<typeof openSignedIn>[3],
  user?: Parameters<typeof openSignedIn>[4],
) => openSignedIn(browser, service, path, options, user);

async function storeVehicle(code: string, information: object = {}): Promise<string> {
  const id = `DE*ABC*${code}`;
  const { status } = await service.call('PUT', `/${id}`, { information });
  expect(status).toBe(201);
  return id;
}

const read = async (id: string) => (await service.call('GET', `/${id}`)).json;
const idField = (page: Page) => page.getByLabel('Vehicle id');
const fill = (page: Page, label: string, value: string) =>
  page.getByLabel(label, { exact: true }).fill(value);
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a car is added with the rules told as one types, is in the list, and gets another plate', async () => {
  const { page, complaints, close } = await signedIn('/vehicles');
  await page.getByRole('link', { name: 'Add vehicle' }).click();
  await page.getByRole('heading', { level: 1, name: 'Add vehicle' }).waitFor();

  await press(page, 'Add vehicle');
  await page.getByText('A vehicle needs an id.').waitFor();
  await expect
    .poll(() => page.evaluate('document.activeElement.getAttribute("aria-invalid")'))
    .toBe('true');
  await idField(page).fill('no blanks');
  await page.getByText('1 to 64 letters, digits or any of').waitFor();
  await idField(page).fill('DE*ABC*NEW1');
  expect(await idField(page).inputValue()).toBe('NEW1');
  await fill(page, 'Plate', 'B-NU 2027E');
  await fill(page, 'VIN', 'WVWZZZE1ZNPO12345');
  await page.getByText('neither I, O nor Q').waitFor();
  await fill(page, 'VIN', vin);
  await fill(page, 'Make', 'VW');
  await fill(page, 'Model', 'ID.3');
  await fill(page, 'Variant', 'Pro S');
  await fill(page, 'Seats', '5');
  await fill(page, 'First registration', '2026-03-01');
  await fill(page, 'Year of manufacture', '26');
  await page.getByLabel('Battery capacity').fill('77.5');
  await page.getByText('From 1800 to 9999.').waitFor();
  await fill(page, 'Year of manufacture', '2026');
  await press(page, 'Add vehicle');

  await page.getByRole('heading', { level: 1, name: 'B-NU 2027E' }).waitFor();
  const id = 'DE*ABC*NEW1';
  const information = {
    licensePlate: 'B-NU 2027E',
    vin,
    vendor: 'VW',
    model: 'ID.3',
    variant: 'Pro S',
    seats: 5,
    firstRegistrationDate: '2026-03-01',
    buildYear: 2026,
    evBatteryCapacity: 77.5,
    trackGeolocation: true,
  };
  expect(await read(id)).toMatchObject({ asset: { id, active: true }, information });

  await page.getByRole('link', { name: 'Vehicles' }).first().click();
  await page.getByText('6 vehicles', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'B-NU 2027E' }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Edit vehicle' }).waitFor();
  expect(await idField(page).count()).toBe(0);
  await fill(page, 'Plate', 'M-NU 2027E');
  await press(page, 'Save vehicle');
  await page.getByRole('heading', { level: 1, name: 'M-NU 2027E' }).waitFor();
  expect((await read(id)).information).toEqual({ ...information, licensePlate: 'M-NU 2027E' });
  await page.getByRole('link', { name: 'Vehicles' }).first().click();
  await page.getByRole('link', { name: 'M-NU 2027E' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('an id that is taken overwrites nothing, and leads to the vehicle that has it', async () => {
  const id = await storeVehicle('TAKEN', { licensePlate: 'HH-TK 1' });
  const { page, close } = await signedIn('/vehicles');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').fill('add vehi');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/vehicles/new');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await idField(page).fill('TAKEN');
  await fill(page, 'Plate', 'HH-TK 2');
  await press(page, 'Add vehicle');
  await page.getByText('Another vehicle has this id.').waitFor();
  await page
    .getByRole('alert')
    .getByRole('button', { name: /^Copy / })
    .waitFor();
  expect((await read(id)).information.licensePlate).toBe('HH-TK 1');

  await page.getByRole('link', { name: 'Open it' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByText('Leave without saving?').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await idField(page).fill('TAKEN2');
  expect(await page.getByText('Another vehicle has this id.').count()).toBe(0);
  await press(page, 'Add vehicle');
  await page.getByRole('heading', { level: 1, name: 'HH-TK 2' }).waitFor();
  await close();
});

test('a VIN that another vehicle in service has is refused at its field', async () => {
  await storeVehicle('VIN1', { vin: 'WVWZZZ1KZAW000001' });
  const id = await storeVehicle('VIN2', { licensePlate: 'HH-VN 2' });
  const { page, close } = await signedIn(`/vehicles/${id}/edit`);
  await fill(page, 'VIN', 'WVWZZZ1KZAW000001');
  await press(page, 'Save vehicle');
  await page
    .getByText('Another vehicle in service has this VIN.', { exact: false })
    .first()
    .waitFor();
  expect(await page.getByLabel('VIN', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  expect((await read(id)).information.vin).toBeUndefined();
  await close();
});

test('who saves second sees both versions, also after a status of the vehicle', async () => {
  const id = await storeVehicle('BOTH', { licensePlate: 'HH-BO 1', vendor: 'VW', seats: 4 });
  const { page, close } = await signedIn(`/vehicles/${id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  const shown = page.getByText('1,234 km').first();
  // One that is sent as the stream begins may be missed.
  const report = async () => {
    const status = { timestamp: new Date().toISOString(), odometer: 1_234 };
    await service.call('PUT', `/${id}/status`, status);
    return shown.isVisible();
  };
  await expect.poll(report, { interval: 2_000 }).toBe(true);
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await fill(page, 'Seats', '5');
  await fill(page, 'Make', 'Škoda');
  await service.call('PUT', `/${id}`, {
    information: { licensePlate: 'HH-BO 9', vendor: 'Seat', seats: 4 },
  });
  await press(page, 'Save vehicle');
  const dialog = page.getByRole('dialog', { name: 'Somebody else saved first' });
  await dialog.getByRole('radiogroup', { name: 'Make' }).getByText('Škoda').click();
  await dialog.getByRole('button', { name: 'Save this choice' }).click();
  await page.getByRole('heading', { level: 1, name: 'HH-BO 9' }).waitFor();
  expect((await read(id)).information).toEqual({
    licensePlate: 'HH-BO 9',
    vendor: 'Škoda',
    seats: 5,
  });
  await close();
});

test('positions are deleted after a question alone', async () => {
  const id = await storeVehicle('TRACK', { licensePlate: 'HH-TR 1' });
  const { page, close } = await signedIn(`/vehicles/${id}/edit`);
  await page.getByRole('switch', { name: 'Store positions' }).click();
  await press(page, 'Save vehicle');
  const question = page.getByRole('alertdialog');
  await question.getByText('Delete the positions of HH-TR 1?').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect((await read(id)).information.trackGeolocation).toBeUndefined();
  await press(page, 'Save vehicle');
  await question.getByRole('button', { name: 'Save and delete positions' }).click();
  await page.getByRole('heading', { level: 1, name: 'HH-TR 1' }).waitFor();
  expect((await read(id)).information.trackGeolocation).toBe(false);
  await close();
});

test('a viewer can neither add nor edit a vehicle', async () => {
  const id = await storeVehicle('SEEN', { licensePlate: 'HH-SE 1' });
  const { page, complaints, close } = await signedIn('/vehicles', {}, viewer);
  expect(await page.getByRole('link', { name: 'Add vehicle' }).count()).toBe(0);
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('textbox').fill('add vehi');
  await page.getByText('Nothing found.', { exact: false }).waitFor();
  for (const path of [`/vehicles/${id}/edit`, '/vehicles/new']) {
    await page.goto(fleet + path);
    await page.getByText('You may not see this').waitFor();
  }
  await page.goto(`${fleet}/vehicles/${id}`);
  await page.getByRole('heading', { level: 1, name: 'HH-SE 1' }).waitFor();
  expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

const variants = [
  { name: 'light', colorScheme: 'light' as const },
  { name: 'dark', colorScheme: 'dark' as const },
  { name: 'phone', viewport: { width: 390, height: 844 } },
  { name: 'German', locale: 'de-DE' },
];

test.each(variants)('the form is accessible: $name', async ({ name, ...options }) => {
  const id = await storeVehicle(`AXE-${name}`, { licensePlate: 'HH-AX 1', vin: name });
  const { page, violations, complaints, close } = await signedIn('/vehicles/new', options);
  const found: Record<string, string[]> = {};
  for (const path of ['/vehicles/new', `/vehicles/${id}/edit`]) {
    await page.goto(fleet + path);
    await untilLoaded(page);
    found[path] = await violations();
    const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(isWide, path).toBe(false);
  }
  await page.goto(`${fleet}/vehicles/new`);
  await untilLoaded(page);
  await page.locator('form button[type="submit"]').click();
  await page.locator('[aria-invalid="true"]').waitFor();
  found.errors = await violations();
  expect(Object.entries(found).filter(([, broken]) => broken.length > 0)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
