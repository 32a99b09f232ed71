import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser } from '../auth/users.ts';
import { launchChrome } from '../testing/chrome.ts';
import { openSignedIn, untilLoaded } from '../testing/console-page.ts';
import { makeFleet } from '../testing/make-fleet.ts';
import { makeRecord } from '../testing/make-record.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** What people do with the records of a fleet, above all maintenance and logbooks; the pages of all of them. */

const car = { id: 'DE*ABC*RECORDS', plate: 'HH-MP 1001' };
const viewer = { username: 'vera', password: 'nine otters cross the river' };
const phone = { width: 390, height: 844 };
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

let service: TestService;
let browser: Browser;
let fleet: string;
let openInvoiceId: string;
beforeAll(async () => {
  service = await startTestService();
  fleet = `${service.url}/console/DE-ABC`;
  await makeFleet(service.db, 'DE', 'ABC', 5, { hasImages: false });
  await addUser(service.db, 'DE-ABC', viewer.username, viewer.password, 'viewer');
  await made('PUT', `/${car.id}`, {
    information: { licensePlate: car.plate, vendor: 'Zeta', model: 'One', evBatteryCapacity: 60 },
  });
  await made('PUT', `/${car.id}/status`, {
    timestamp: new Date().toISOString(),
    odometer: 12_345,
    fuelLevel: 60,
  });
  await made('PUT', `/${car.id}/charging/session-1`, {
    fromDatetime: daysAgo(3),
    toDatetime: daysAgo(2.9),
    fromSoC: 20,
    toSoC: 80,
    chargedKWh: 33.3,
  });
  for (const title of ['Replace the brake pads', 'Yearly service'])
    await made('POST', `/${car.id}/maintenance`, { title, dueDate: daysAgo(5).slice(0, 10) });
  await made('PUT', `/${car.id}/drivers`, {
    mobilityProviderCountryCode: 'DE',
    mobilityProviderCode: 'MOB',
    customerId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  });
  await made('POST', `/${car.id}/logbook`, {
    title: 'Refuelled',
    date: daysAgo(9).slice(0, 10),
    category: 'fuel',
    cost: { amount: 4_210, currency: 'EUR' },
  });
  await made('POST', '/checklist-templates', {
    name: 'Handover',
    entries: [{ title: 'All lights work', type: 'check', required: true }],
  });
  await made('POST', `/${car.id}/checklist`, { title: 'Horn works', type: 'check' });
  await made('POST', `/${car.id}/checklist`, { title: 'Tread depth', type: 'number' });
  const invoice = await made('POST', '/invoices', {
    number: 'G-7',
    supplier: { name: 'Garage Nord' },
    issueDate: daysAgo(4).slice(0, 10),
    currency: 'EUR',
    lines: [{ text: 'Tyres', unitPrice: '400', vatRate: '19', kind: 'tyres', vehicleId: car.id }],
  });
  openInvoiceId = invoice.id;
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const made = (method: string, path: string, body: object) =>
  makeRecord(service, method, path, body);

const signedIn = (
  path: string,
  options?: Parameters<typeof openSignedIn>[3],
  user?: Parameters<typeof openSignedIn>[4],
) => openSignedIn(browser, service, path, options, user);

test('a service is marked done with its cost and a file, and leaves the plan', async () => {
  const { page, complaints, close } = await signedIn('/maintenance?status=overdue');
  await page.getByRole('link', { name: 'Replace the brake pads' }).click();
  const panel = page.getByRole('dialog', { name: 'Replace the brake pads' });
  await panel.getByText('Planned by a person').waitFor();
  await panel.getByRole('button', { name: 'Mark done' }).click();
  const dialog = page.getByRole('dialog', { name: 'Done: Replace the brake pads' });
  await dialog.getByLabel('Cost with taxes').fill('123.45');
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'bill.png',
    mimeType: 'image/png',
    buffer: onePixel,
  });
  await dialog.getByText('bill.png').waitFor();
  await dialog.getByRole('button', { name: 'Mark done' }).click();
  await page.getByText(`${car.plate}: Replace the brake pads is done`).waitFor();
  await expect
    .poll(() => page.getByRole('link', { name: 'Replace the brake pads' }).count())
    .toBe(0);

  await page.goto(`${fleet}/vehicles/${car.id}/logbook`);
  const entry = page.getByRole('listitem').filter({ hasText: 'Replace the brake pads' });
  await entry.getByText('€123.45').waitFor();
  await entry.getByRole('button', { name: 'Show bill.png' }).click();
  await page.getByRole('img', { name: 'bill.png' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test('files of what was done on a day before another time belong to its entry', async () => {
  const { id } = await made('POST', `/${car.id}/maintenance`, {
    title: 'Check the trailer',
    intervalMonths: 6,
  });
  await made('POST', `/${car.id}/maintenance/${id}/done`, { date: daysAgo(2).slice(0, 10) });
  const { page, complaints, close } = await signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('link', { name: 'Check the trailer', exact: true }).click();
  await page.getByRole('button', { name: 'Mark done' }).click();
  const dialog = page.getByRole('dialog', { name: 'Done: Check the trailer' });
  await dialog.getByLabel('Done on').fill(daysAgo(40).slice(0, 10));
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'trailer.png',
    mimeType: 'image/png',
    buffer: onePixel,
  });
  await dialog.getByRole('button', { name: 'Mark done' }).click();
  await page.getByText(`${car.plate}: Check the trailer is done`).waitFor();
  const filters = [{ field: 'maintenanceReportId', value: id }];
  const { json } = await service.call('POST', `/${car.id}/logbook/search`, { filters });
  const blobs = json.items.flatMap((entry: { blobs?: object[] }) => entry.blobs ?? []);
  expect(blobs).toMatchObject([{ filename: 'trailer.png', uploaded: true }]);
  expect(complaints).toEqual([]);
  await close();
});

test('a file of the same name, of what is done again on the same day, is stored beside the first', async () => {
  const { id } = await made('POST', `/${car.id}/maintenance`, {
    title: 'Wash the van',
    intervalMonths: 1,
  });
  const { page, complaints, close } = await signedIn(`/vehicles/${car.id}/maintenance`);
  const filters = [{ field: 'maintenanceReportId', value: id }];
  for (const count of [1, 2]) {
    await page.goto(`${fleet}/vehicles/${car.id}/maintenance?report=${id}`);
    await page.getByRole('button', { name: 'Mark done' }).click();
    const dialog = page.getByRole('dialog', { name: 'Done: Wash the van' });
    const file = { name: 'bill.png', mimeType: 'image/png', buffer: onePixel };
    await dialog.locator('input[type="file"]').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Mark done' }).click();
    await page.getByText(`${car.plate}: Wash the van is done`).waitFor();
    const { json } = await service.call('POST', `/${car.id}/logbook/search`, { filters });
    expect(json.items).toHaveLength(1);
    expect(json.items[0].blobs).toEqual(
      Array(count).fill(expect.objectContaining({ filename: 'bill.png', uploaded: true })),
    );
  }
  expect(complaints).toEqual([]);
  await close();
});

test('an amount is read with either separator of decimals', async () => {
  const { page, complaints, close } = await signedIn(`/vehicles/${car.id}/logbook`);
  await page.getByRole('button', { name: 'Add entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add entry' });
  await dialog.getByRole('textbox', { name: 'What happened' }).fill('New wipers');
  const cost = dialog.getByLabel('Cost with taxes');
  const odometer = dialog.getByLabel('Odometer');
  for (const enter of ['typed', 'pasted'])
    for (const [text, shown] of [
      ['189,90', '189.90'],
      ['1.234,56', '1,234.56'],
      ['1,234.56', '1,234.56'],
      ['1,234', '1,234'],
    ] as const) {
      await cost.clear();
      if (enter === 'typed') await cost.pressSequentially(text);
      else await page.keyboard.insertText(text);
      await odometer.focus();
      expect(await cost.inputValue(), `${text}, ${enter}`).toBe(shown);
    }
  await odometer.fill('12.400');
  await cost.fill('189,90');
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'New wipers' });
  await entry.getByText('€189.90').waitFor();
  await entry.getByText('12,400 km').waitFor();
  expect(complaints).toEqual([]);
  await close();
});

test.each([
  { locale: 'en-GB', edit: 'Edit', odometer: 'Odometer', cost: 'Cost with taxes' },
  { locale: 'de-DE', edit: 'bearbeiten', odometer: 'Kilometerstand', cost: 'Kosten mit Steuern' },
])(
  'a digit more or less of a number that is shown is no more than that: $locale',
  async (words) => {
    const title = `Workshop ${words.locale}`;
    const { id } = await made('POST', `/${car.id}/logbook`, {
      title,
      date: daysAgo(8).slice(0, 10),
      odometer: 45_230,
      cost: { amount: 123_400, currency: 'EUR' },
    });
    const saved = async () => {
      const { json } = await service.call('GET', `/${car.id}/logbook/${id}`);
      return [json.odometer, json.cost.amount, json.cost.currency];
    };
    const { page, complaints, close } = await signedIn(`/vehicles/${car.id}/logbook`, {
      locale: words.locale,
    });
    const edit = page
      .getByRole('listitem')
      .filter({ hasText: title })
      .getByRole('button', { name: words.edit });
    const odometer = page.getByRole('dialog').getByLabel(words.odometer);
    const cost = page.getByRole('dialog').getByLabel(words.cost);

    await edit.click();
    await cost.press('End');
    await page.keyboard.press('Backspace');
    await odometer.press('End');
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    await expect.poll(saved).toEqual([452_301, 12_300, 'EUR']);
    await expect.poll(() => odometer.count()).toBe(0);

    await edit.click();
    await odometer.press('End');
    await page.keyboard.press('Backspace');
    // Entered by the keyboard, a field is overwritten.
    await page.keyboard.press('Tab');
    await page.keyboard.type('2345');
    await page.keyboard.press('Enter');
    await expect.poll(saved).toEqual([45_230, 234_500, 'EUR']);
    await expect.poll(() => odometer.count()).toBe(0);

    // A currency has its own minor unit.
    await edit.click();
    await page
      .getByRole('dialog')
      .getByLabel(/^(Currency|Währung)$/)
      .fill('KWD');
    await cost.fill(words.locale === 'de-DE' ? '12,345' : '12.345');
    await page.keyboard.press('Enter');
    await expect.poll(saved).toEqual([45_230, 12_345, 'KWD']);
    expect(complaints).toEqual([]);
    await close();
  },
);

test('what is cleared of planned maintenance is cleared', async () => {
  const { id } = await made('POST', `/${car.id}/maintenance`, {
    title: 'Change the tyres',
    dueDate: '2031-04-01',
    dueOdometer: 90_000,
    notes: 'They are in the cellar',
  });
  const { page, complaints, close } = await signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('link', { name: 'Change the tyres', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit maintenance' });
  await dialog.getByLabel('Notes').clear();
  await dialog.getByLabel('Due on').clear();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  const { json } = await service.call('GET', `/${car.id}/maintenance/${id}`);
  expect(json).toMatchObject({ title: 'Change the tyres', dueOdometer: 90_000 });
  expect(json).not.toHaveProperty('notes');
  expect(json).not.toHaveProperty('dueDate');
  expect(complaints).toEqual([]);
  await close();
});

test('part of a date, or a year of two digits, is told and not saved', async () => {
  const { page, complaints, close } = await signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('button', { name: 'Plan maintenance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' });
  const title = dialog.getByRole('textbox', { name: 'What is to be done' });
  await title.fill('Clean the filter');
  await dialog.getByLabel('Due at').fill('90000');
  const field = dialog.getByLabel('Due on');
  const message = dialog.getByText('Enter the whole date');
  const planned = async () => {
    const filters = [{ field: 'title', value: 'Clean the filter' }];
    const { json } = await service.call('POST', `/${car.id}/maintenance/search`, { filters });
    return json.items.map(({ dueDate }: { dueDate?: string }) => dueDate);
  };
  await field.focus();
  await page.keyboard.type('0404');
  await title.focus();
  await message.waitFor();
  await page.keyboard.press('Enter');
  await field.and(page.locator(':focus')).waitFor();
  await page.keyboard.type('040431');
  await page.keyboard.press('Enter');
  expect(await field.inputValue()).toBe('0031-04-04');
  await message.waitFor();
  expect(await planned()).toEqual([]);

  await field.fill('2031-04-17');
  await expect.poll(() => message.count()).toBe(0);
  await dialog.getByRole('button', { name: 'Plan maintenance' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  expect(await planned()).toEqual(['2031-04-17']);
  expect(complaints).toEqual([]);
  await close();
});

test('what somebody else has changed meanwhile is not overwritten', async () => {
  const { page, close } = await signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('link', { name: 'Yearly service', exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit maintenance' });
  await dialog.getByLabel('Notes').fill('Mine');
  const { json } = await service.call('GET', `/${car.id}/maintenance`);
  const report = json.items.find((item: { title: string }) => item.title === 'Yearly service');
  await made('PUT', `/${car.id}/maintenance/${report.id}`, { ...report, notes: 'Theirs' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Somebody else has changed it').waitFor();
  await dialog.getByRole('button', { name: 'Load it again' }).click();
  await page.getByText('Theirs').waitFor();
  await close();
});

test('planned maintenance is removed in the version that the question names', async () => {
  const planned = { title: 'Change the wipers', dueDate: daysAgo(-40).slice(0, 10) };
  const { id } = await made('POST', `/${car.id}/maintenance`, planned);
  const api = `/${car.id}/maintenance/${id}`;
  const { page, close } = await signedIn(`/vehicles/${car.id}/maintenance?report=${id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  const ask = page.getByRole('button', { name: 'Remove from the plan' }).first();
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Remove from the plan' });
  await ask.click();
  await question.getByText(/Change the wipers/).waitFor();
  await made('PUT', api, { ...planned, title: 'Recall of the brakes' });
  await page.getByRole('heading', { name: 'Recall of the brakes', includeHidden: true }).waitFor();
  await confirm.click();
  await question.getByText(/Somebody else has changed it/).waitFor();
  expect((await service.call('GET', api)).status).toBe(200);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await ask.click();
  await question.getByText(/Recall of the brakes/).waitFor();
  await confirm.click();
  await expect.poll(async () => (await service.call('GET', api)).status).toBe(404);
  await close();
});

test('what is being entered stays when somebody else has the maintenance done meanwhile', async () => {
  const title = 'Align the wheels';
  const report = await made('POST', `/${car.id}/maintenance`, { title, dueDate: '2031-04-17' });
  const { page, close } = await signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('link', { name: title, exact: true }).click();
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit maintenance' });
  await dialog.getByLabel('Notes').fill('Mine');
  await made('POST', `/${car.id}/maintenance/${report.id}/done`, {});
  await expect.poll(() => page.getByText('Remove from the plan').count()).toBe(0);
  expect(await dialog.getByLabel('Notes').inputValue()).toBe('Mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  await close();
});

test('a form asks before it forgets what was entered', async () => {
  const { page, close } = await signedIn('/maintenance');
  await page.getByRole('button', { name: 'Plan maintenance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Plan maintenance' });
  await dialog.getByRole('textbox', { name: 'What is to be done' }).fill('Wash');
  await page.keyboard.press('Escape');
  await dialog.getByText('Discard what you have entered?').waitFor();
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await dialog.getByLabel('Vehicle').first().fill('mp 1001');
  await page.getByRole('option', { name: /HH-MP 1001/ }).click();
  await dialog.getByLabel('Due on').fill('2030-05-17');
  await dialog.getByRole('button', { name: 'Plan maintenance' }).click();
  await page.getByText(`Planned for ${car.plate}`).waitFor();
  await page.goto(`${fleet}/maintenance?view=calendar&month=2030-05`);
  const entry = page.getByRole('link', { name: /HH-MP 1001.*Wash/ });
  await entry.waitFor();
  await page.getByRole('searchbox').fill('Tyres');
  await entry.waitFor({ state: 'detached' });
  await page.getByRole('searchbox').fill('1001 wash');
  await entry.waitFor();
  await close();
});

test('a form stays open while it is sent, and tells that it was refused', async () => {
  const { id } = await made('POST', `/${car.id}/maintenance`, {
    title: 'Polish the hood',
    dueDate: '2031-05-01',
  });
  const { page, close } = await signedIn(`/vehicles/${car.id}/maintenance`);
  await page.getByRole('link', { name: 'Polish the hood', exact: true }).click();
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(`**/maintenance/${id}/done`, async (route) => {
    await isAnswered;
    await route.fulfill({ status: 409, json: { title: 'Refused', detail: 'The book is full' } });
  });
  await page.getByRole('button', { name: 'Mark done' }).click();
  const dialog = page.getByRole('dialog', { name: 'Done: Polish the hood' });
  const sent = page.waitForRequest(`**/maintenance/${id}/done`);
  await dialog.getByRole('button', { name: 'Mark done' }).click();
  await sent;
  await expect.poll(() => dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
  await page.keyboard.press('Escape');
  await page.goBack();
  await page.waitForURL(/report=/);
  answer();
  await dialog.getByRole('alert').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('dialog', { name: 'Polish the hood' }).waitFor();
  await close();
});

test('a vehicle that cannot be taken out of service stays in it', async () => {
  await made('PUT', `/${car.id}-3`, { information: { licensePlate: 'HH-MP 2003' } });
  const { page, close } = await signedIn(`/vehicles/${car.id}-3`);
  const takeOut = page.getByRole('button', { name: 'Take out of service' });
  await takeOut.waitFor();
  await page.context().setOffline(true);
  await takeOut.click();
  await page.getByRole('alert').filter({ hasText: 'The service does not answer' }).waitFor();
  await takeOut.waitFor();
  await close();
});

test('the codes of a customer are kept as they are typed', async () => {
  const customerId = '1b4e28ba-2fa1-41d2-883f-0016d3cca427';
  const { page, close } = await signedIn(`/vehicles/${car.id}/drivers`);
  await page.getByRole('button', { name: 'Add driver' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Country code').fill('de');
  await dialog.getByLabel('Code of the provider').fill('mOb');
  await dialog.getByLabel('Customer id').fill(customerId);
  await dialog.getByRole('button', { name: 'Add driver' }).click();
  await page.getByRole('cell', { name: 'de-mOb' }).waitFor();
  await close();
});

test('an entry of the logbook is written with a file, changed and deleted', async () => {
  const { page, complaints, close } = await signedIn(`/vehicles/${car.id}/logbook`);
  await page.getByRole('button', { name: 'Add entry' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add entry' });
  await dialog.getByRole('textbox', { name: 'What happened' }).fill('Parking in the city');
  await dialog.getByLabel('Cost with taxes').fill('12.50');
  await dialog.locator('input[type="file"]').setInputFiles({
    name: 'ticket.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Thank you for parking'),
  });
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  const entry = page.getByRole('listitem').filter({ hasText: 'Parking in the city' });
  await entry.getByText('€12.50').waitFor();
  await entry.getByRole('button', { name: 'Show ticket.txt' }).click();
  await page.getByText('Thank you for parking').waitFor();
  await page.keyboard.press('Escape');

  await entry.getByRole('button', { name: 'Edit Parking in the city' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit entry' });
  await edit.getByRole('textbox', { name: 'Description' }).fill('Garage of the opera');
  await edit.getByRole('button', { name: 'Save' }).click();
  await entry.getByText('Garage of the opera').waitFor();

  await entry.getByRole('button', { name: 'Delete Parking in the city' }).click();
  await page
    .getByRole('alertdialog', { name: 'Delete the entry?' })
    .getByRole('button', { name: 'Delete entry' })
    .click();
  await expect.poll(() => entry.count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

test('an entry of the logbook that is edited stays when newer ones take its place', async () => {
  const id = 'DE*ABC*LOGBOOK';
  await made('PUT', `/${id}`, { information: { licensePlate: 'HH-MP 1002' } });
  const title = 'Dent in the door';
  const dented = await made('POST', `/${id}/logbook`, { title, date: '2026-01-01' });
  const { page, close } = await signedIn(`/vehicles/${id}/logbook`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: `Edit ${title}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit entry' });
  await dialog.getByRole('textbox', { name: 'Description' }).fill('As long as a hand');
  for (let count = 0; count < 25; count += 1)
    await made('POST', `/${id}/logbook`, { title: 'Washed', date: '2026-01-02' });
  await expect.poll(() => page.getByText('Washed').count()).toBe(25);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => dialog.count()).toBe(0);
  const { json } = await service.call('GET', `/${id}/logbook/${dented.id}`);
  expect(json.description).toBe('As long as a hand');
  await close();
});

test('an entry of the logbook that cannot be read is told, and read again', async () => {
  const title = 'Lost a hubcap';
  const { id } = await made('POST', `/${car.id}/logbook`, { title, date: daysAgo(1).slice(0, 10) });
  const { page, close } = await signedIn(`/vehicles/${car.id}/logbook`);
  await page.route(`**/logbook/${id}`, (route) => route.fulfill({ status: 404, json: {} }));
  await page.getByRole('button', { name: `Edit ${title}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit entry' });
  await dialog.getByText('It is not there').waitFor();
  await page.unroute(`**/logbook/${id}`);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  expect(await dialog.getByRole('textbox', { name: 'What happened' }).inputValue()).toBe(title);
  await close();
});

test('an address that no calendar has shows the page, and a page that failed does not take the others', async () => {
  const { page, complaints, close } = await signedIn(
    '/maintenance?view=calendar&month=9999-12&day=2026-13-45',
  );
  await page.getByRole('button', { name: 'Next month' }).waitFor();
  await page.goto(`${fleet}/maintenance?filter=%5B%22dueDate%3Agte%3Asoon%22%5D`);
  await page.getByText('Due date at least soon').waitFor();
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);

  await page.route(/\/DE\/ABC\/incidents$/, (route) => route.fulfill({ json: {} }));
  await page.getByRole('link', { name: 'Incidents' }).first().click();
  await page.locator('main').getByRole('alert').waitFor();
  await page.getByRole('link', { name: 'Invoices' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'Invoices' }).waitFor();
  await close();
});

test('a page whose data could not be read is read again by its button', async () => {
  const { page, close } = await signedIn('/invoices');
  await page.route(/\/DE\/ABC\/maintenance$/, (route) => route.fulfill({ json: {} }));
  await page.goto(`${fleet}/maintenance?view=calendar`);
  const problem = page.locator('main').getByRole('alert');
  await problem.getByText('Something went wrong on this page').waitFor();
  await page.unroute(/\/DE\/ABC\/maintenance$/);
  await problem.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Next month' }).waitFor();
  await close();
});

test('a viewer sees all of it and changes nothing', async () => {
  const { page, complaints, close } = await signedIn('/maintenance', {}, viewer);
  expect(await page.getByRole('button', { name: 'Plan maintenance' }).count()).toBe(0);
  await page.goto(`${fleet}/invoices`);
  await untilLoaded(page);
  expect(await page.getByText('Drop e-invoices').count()).toBe(0);
  await page.getByRole('link', { name: 'G-7' }).click();
  await page.getByText('Tyres').first().waitFor();
  expect(await page.getByRole('button', { name: /Approve|Dispute|Edit line/ }).count()).toBe(0);
  for (const tab of ['logbook', 'checklist', 'drivers']) {
    await page.goto(`${fleet}/vehicles/${car.id}/${tab}`);
    await untilLoaded(page);
    expect(
      await page.getByRole('button', { name: /^(Add|Edit|Delete|Apply|Remove)/ }).count(),
    ).toBe(0);
  }
  expect(complaints).toEqual([]);
  await close();
});

const tabs = ['charging', 'maintenance', 'logbook', 'checklist', 'invoices', 'drivers'];
const variants = [
  { name: 'light', colorScheme: 'light' as const },
  { name: 'dark', colorScheme: 'dark' as const },
  { name: 'phone', viewport: phone },
  { name: 'German', locale: 'de-DE', viewport: phone },
];

test.each(variants)('every page of records is accessible: $name', async ({ name, ...options }) => {
  const { page, violations, outside, complaints, close } = await signedIn('/', options);
  const paths = [
    '/',
    '/maintenance',
    '/maintenance?view=calendar',
    '/invoices',
    '/invoices?q=nothing',
    `/invoices/${openInvoiceId}`,
    '/invoices/costs',
    ...tabs.map((tab) => `/vehicles/${car.id}/${tab}`),
  ];
  const found: Record<string, string[]> = {};
  for (const path of paths) {
    await page.goto(fleet + path);
    await untilLoaded(page);
    found[path] = await violations();
    if ('viewport' in options) {
      const isWider: boolean = await page.evaluate(
        'document.documentElement.scrollWidth > innerWidth',
      );
      expect(isWider, path).toBe(false);
    }
  }
  await page.goto(`${fleet}/vehicles/${car.id}/logbook`);
  await untilLoaded(page);
  const add = options.locale ? 'Eintrag hinzufügen' : 'Add entry';
  await page.getByRole('button', { name: add }).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForTimeout(400);
  found.dialog = await violations();
  expect(Object.entries(found).filter(([, broken]) => broken.length > 0)).toEqual([]);
  expect(outside).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
});
