import { afterAll, beforeAll, expect, test } from 'vitest';
import { addUser } from '../auth/users.ts';
import { untilLoaded } from '../testing/console-page.ts';
import { onePixel } from '../testing/images.ts';
import { car, daysAgo, type RecordPages, startRecordPages } from '../testing/record-pages.ts';
import { uploadNew } from '../testing/uploads.ts';

/** What the pages of all records have in common (failures, a viewer, accessibility), and drivers and service of a vehicle. */

const viewer = { username: 'vera', password: 'nine otters cross the river' };
const phone = { width: 390, height: 844 };

let openInvoiceId: string;
let records: RecordPages;
beforeAll(async () => {
  records = await startRecordPages();
  await addUser(records.service.db, 'DE-ABC', viewer.username, viewer.password, 'viewer');
  await records.made('PUT', `/${car.id}/charging/session-1`, {
    fromDatetime: daysAgo(3),
    toDatetime: daysAgo(2.9),
    fromSoC: 20,
    toSoC: 80,
    chargedKWh: 33.3,
  });
  for (const title of ['Replace the brake pads', 'Yearly service'])
    await records.made('POST', `/${car.id}/maintenance`, {
      title,
      dueDate: daysAgo(5).slice(0, 10),
    });
  await records.made('POST', `/${car.id}/maintenance`, {
    title: 'Change the tyres',
    dueOdometer: 90_000,
  });
  const monthly = await records.made('POST', `/${car.id}/maintenance`, {
    title: 'Wash the van',
    intervalMonths: 1,
  });
  await records.made('POST', `/${car.id}/maintenance/${monthly.id}/done`, {});
  await records.made('PUT', `/${car.id}/drivers`, {
    mobilityProviderCountryCode: 'DE',
    mobilityProviderCode: 'MOB',
    customerId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  });
  const entry = await records.made('POST', `/${car.id}/logbook`, {
    title: 'Refuelled',
    date: daysAgo(9).slice(0, 10),
    category: 'fuel',
    cost: { amount: 4_210, currency: 'EUR' },
  });
  const files = `/${car.id}/blobs/logbook/${entry.id}`;
  await uploadNew(records.service, files, 'bill.png', onePixel);
  await records.made('POST', '/checklist-templates', {
    name: 'Handover',
    entries: [{ title: 'All lights work', type: 'check', required: true }],
  });
  await records.made('POST', `/${car.id}/checklist`, { title: 'Horn works', type: 'check' });
  await records.made('POST', `/${car.id}/checklist`, { title: 'Tread depth', type: 'number' });
  const invoice = await records.made('POST', '/invoices', {
    number: 'G-7',
    supplier: { name: 'Garage Nord' },
    issueDate: daysAgo(4).slice(0, 10),
    currency: 'EUR',
    lines: [{ text: 'Tyres', unitPrice: '400', vatRate: '19', kind: 'tyres', vehicleId: car.id }],
  });
  openInvoiceId = invoice.id;
});
afterAll(() => records?.stop());

test('a vehicle that cannot be taken out of service stays in it', async () => {
  await records.made('PUT', `/${car.id}-3`, { information: { licensePlate: 'HH-MP 2003' } });
  const { page, close } = await records.signedIn(`/vehicles/${car.id}-3`);
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
  const { page, close } = await records.signedIn(`/vehicles/${car.id}/drivers`);
  await page.getByRole('button', { name: 'Add driver' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Country code').fill('de');
  await dialog.getByLabel('Code of the provider').fill('mOb');
  await dialog.getByLabel('Customer id').fill(customerId);
  await dialog.getByRole('button', { name: 'Add driver' }).click();
  await page.getByRole('cell', { name: 'de-mOb' }).waitFor();
  await close();
});

test('an address that no calendar has shows the page, and a page that failed does not take the others', async () => {
  const { page, complaints, close } = await records.signedIn(
    '/maintenance?view=calendar&month=9999-12&day=2026-13-45',
  );
  await page.getByRole('button', { name: 'Next month' }).waitFor();
  await page.goto(`${records.fleet}/maintenance?filter=%5B%22dueDate%3Agte%3Asoon%22%5D`);
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
  const { page, close } = await records.signedIn('/invoices');
  await page.route(/\/DE\/ABC\/maintenance$/, (route) => route.fulfill({ json: {} }));
  await page.goto(`${records.fleet}/maintenance?view=calendar`);
  const problem = page.locator('main').getByRole('alert');
  await problem.getByText('Something went wrong on this page').waitFor();
  await page.unroute(/\/DE\/ABC\/maintenance$/);
  await problem.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('button', { name: 'Next month' }).waitFor();
  await close();
});

test('a viewer sees all of it and changes nothing', async () => {
  const { page, complaints, close } = await records.signedIn('/maintenance', {}, viewer);
  expect(await page.getByRole('button', { name: 'Plan maintenance' }).count()).toBe(0);
  await page.goto(`${records.fleet}/invoices`);
  await untilLoaded(page);
  expect(await page.getByText('Drop e-invoices').count()).toBe(0);
  await page.getByRole('link', { name: 'G-7' }).click();
  await page.getByText('Tyres').first().waitFor();
  expect(await page.getByRole('button', { name: /Approve|Dispute|Edit line/ }).count()).toBe(0);
  for (const tab of ['logbook', 'checklist', 'drivers']) {
    await page.goto(`${records.fleet}/vehicles/${car.id}/${tab}`);
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
  const { page, violations, outside, complaints, close } = await records.signedIn('/', options);
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
    await page.goto(records.fleet + path);
    await untilLoaded(page);
    found[path] = await violations();
    if ('viewport' in options) {
      const isWider: boolean = await page.evaluate(
        'document.documentElement.scrollWidth > innerWidth',
      );
      expect(isWider, path).toBe(false);
    }
  }
  await page.goto(`${records.fleet}/vehicles/${car.id}/logbook`);
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
