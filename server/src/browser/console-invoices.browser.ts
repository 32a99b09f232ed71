import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChrome } from '../testing/chrome.ts';
import { openSignedIn } from '../testing/console-page.ts';
import { ublInvoice } from '../testing/electronic-invoices.ts';
import { makeRecord } from '../testing/make-record.ts';
import { startTestService, type TestService } from '../testing/test-service.ts';

/** What people do with invoices. */

const car = { id: 'DE*ABC*INVOICES', plate: 'HH-MP 1001' };

let service: TestService;
let browser: Browser;
beforeAll(async () => {
  service = await startTestService();
  await made('PUT', `/${car.id}`, { information: { licensePlate: car.plate } });
  browser = await launchChrome();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

const signedIn = (path: string) => openSignedIn(browser, service, path);
const made = (method: string, path: string, body: object) =>
  makeRecord(service, method, path, body);

const brokenInvoice = (number: string) => ublInvoice({ number }).replace('27.13', '99.99');
const choose = (page: Page, name: string, document: string) =>
  page.locator('input[type="file"]').setInputFiles({
    name,
    mimeType: 'application/xml',
    buffer: Buffer.from(document),
  });

async function makeInvoice(number: string, text: string): Promise<string> {
  const { id } = await made('POST', '/invoices', {
    number,
    supplier: { name: 'Garage Nord' },
    issueDate: '2026-05-04',
    currency: 'EUR',
    lines: [{ text, unitPrice: '400', vatRate: '19', kind: 'maintenance', vehicleId: car.id }],
  });
  return id;
}

test('an e-invoice is dropped, read and approved', async () => {
  const { page, complaints, close } = await signedIn('/invoices');
  const buffer = Buffer.from(ublInvoice({ number: 'R-2026-1' }));
  const data = await page.evaluateHandle(
    `(() => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (one) => one.charCodeAt(0));
      data.items.add(new File([bytes], 'invoice.xml', { type: 'application/xml' }));
      return data;
    })()`,
  );
  await page.getByText('Drop e-invoices').dispatchEvent('drop', { dataTransfer: data });
  await page.getByRole('heading', { level: 1, name: 'Werkstatt Mitte GmbH · R-2026-1' }).waitFor();
  await page.getByRole('link', { name: car.plate }).first().waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.locator('main').getByText('Approved', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Mark paid' }).waitFor();
  await expect
    .poll(async () => {
      const filters = [{ field: 'number', value: 'R-2026-1' }];
      const { json } = await service.call('POST', '/invoices/search', { filters });
      return json.items[0].status;
    })
    .toBe('approved');
  expect(complaints).toEqual([]);
  await close();
});

test('a document that breaks a rule is refused in words', async () => {
  const { page, close } = await signedIn('/invoices');
  await choose(page, 'broken.xml', brokenInvoice('R-2'));
  await page.getByRole('list', { name: 'What became of the files' }).getByRole('alert').waitFor();
  await close();
});

test('what becomes of documents is told while others are dropped, and after the page was left', async () => {
  const { page, complaints, close } = await signedIn('/invoices');
  let { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/invoices/documents', async (route) => {
    await held;
    await route.continue();
  });
  const results = page.getByRole('list', { name: 'What became of the files' });
  const result = (name: string) => results.locator('> li').filter({ hasText: name });
  await choose(page, 'broken.xml', brokenInvoice('R-3'));
  await result('broken.xml').waitFor();
  await choose(page, 'fine.xml', ublInvoice({ number: 'R-4' }));
  await result('fine.xml').waitFor();
  release();
  await result('broken.xml').getByRole('alert').waitFor();
  await result('fine.xml').getByRole('link', { name: /R-4/ }).waitFor();

  ({ promise: held, resolve: release } = Promise.withResolvers<void>());
  await choose(page, 'late-broken.xml', brokenInvoice('R-5'));
  await choose(page, 'late-fine.xml', ublInvoice({ number: 'R-6' }));
  await result('late-fine.xml').waitFor();
  await page.getByRole('link', { name: 'Vehicles' }).first().click();
  await expect.poll(() => results.count()).toBe(0);
  release();
  await page.getByText('late-fine.xml: The e-invoice was read').waitFor();
  await page.getByRole('alert').filter({ hasText: 'late-broken.xml' }).waitFor();
  expect(page.url()).toMatch(/\/vehicles$/);
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  await close();
});

test('a cancelled invoice that is taken up again and completed is to be paid as before', async () => {
  const { id, totals, vatBreakdown } = await made('POST', '/invoices', {
    number: 'G-9',
    supplier: { name: 'Garage Nord' },
    status: 'cancelled',
    issueDate: '2026-05-04',
    currency: 'EUR',
    lines: [{ text: 'Training', unitPrice: '400', vatCategory: 'E' }],
    vatBreakdown: [
      { vatCategory: 'E', taxableAmount: 40_000, taxAmount: 0, exemptionReason: 'Education' },
    ],
    totals: { prepaidAmount: 15_000, roundingAmount: -2 },
  });
  expect(totals.payableAmount).toBe(24_998);
  const { page, complaints, close } = await signedIn(`/invoices/${id}`);
  await page.getByRole('button', { name: 'Take up as a draft' }).click();
  await page.getByText('It is a draft again').waitFor();
  await page.getByRole('button', { name: 'Complete the draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Complete the draft' });
  await dialog.getByLabel('To be paid by').fill('2026-06-04');
  await dialog.getByRole('button', { name: 'Save, to be approved' }).click();
  await expect
    .poll(async () => (await service.call('GET', `/invoices/${id}`)).json)
    .toMatchObject({ status: 'open', dueDate: '2026-06-04', totals, vatBreakdown });
  expect(complaints).toEqual([]);
  await close();
});

async function fillDraft(page: Page, number: string) {
  await page.getByRole('button', { name: 'Complete the draft' }).click();
  const dialog = page.getByRole('dialog', { name: 'Complete the draft' });
  await dialog.getByLabel('Supplier').fill('Garage Nord');
  await dialog.getByLabel('Number').fill(number);
  await dialog.getByLabel('Date').fill('2026-05-04');
  await dialog.getByLabel('What was paid for').fill('Tyres');
  await dialog.getByLabel('Net amount').fill('400');
  return dialog;
}

test('a credit note on paper is completed as one', async () => {
  const { id } = await made('POST', '/invoices', { status: 'draft', currency: 'EUR' });
  const { page, complaints, close } = await signedIn(`/invoices/${id}`);
  const dialog = await fillDraft(page, 'G-12');
  await dialog.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Credit note' }).click();
  await dialog.getByRole('button', { name: 'Save, to be approved' }).click();
  await expect
    .poll(async () => (await service.call('GET', `/invoices/${id}`)).json)
    .toMatchObject({ status: 'open', type: 'credit_note', totals: { payableAmount: 47_600 } });
  expect(complaints).toEqual([]);
  await close();
});

test('a rate of VAT that is out of bounds is told, and the draft is not completed with another', async () => {
  const { id } = await made('POST', '/invoices', { status: 'draft', currency: 'EUR' });
  const { page, complaints, close } = await signedIn(`/invoices/${id}`);
  const dialog = await fillDraft(page, 'G-11');
  const rate = dialog.getByLabel('VAT rate (%)');
  await rate.fill('190');
  await rate.press('Enter');
  await dialog.getByText('From 0 to 30.').waitFor();
  expect(await rate.inputValue()).toBe('190');
  await rate.fill('19');
  await dialog.getByRole('button', { name: 'Save, to be approved' }).click();
  await expect
    .poll(async () => (await service.call('GET', `/invoices/${id}`)).json)
    .toMatchObject({ status: 'open', totals: { payableAmount: 47_600 } });
  expect(complaints).toEqual([]);
  await close();
});

test('a draft is deleted in the version that the question was asked about', async () => {
  const { id } = await made('POST', '/invoices', { status: 'draft', currency: 'EUR' });
  const { page, close } = await signedIn(`/invoices/${id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  const ask = async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete the draft' }).click();
  };
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Delete the draft' });
  await ask();
  const supplier = { name: 'Werkstatt Mitte' };
  await made('PUT', `/invoices/${id}`, { status: 'draft', currency: 'EUR', supplier });
  await page.getByRole('heading', { name: /Werkstatt Mitte/, includeHidden: true }).waitFor();
  await confirm.click();
  await question.getByText(/Somebody else has changed it/).waitFor();
  expect((await service.call('GET', `/invoices/${id}`)).status).toBe(200);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await ask();
  await confirm.click();
  await expect.poll(async () => (await service.call('GET', `/invoices/${id}`)).status).toBe(404);
  await close();
});

test('an invoice is cancelled in the version that the question was asked about', async () => {
  const id = await makeInvoice('G-12', 'Wipers');
  const { page, close } = await signedIn(`/invoices/${id}`);
  await page.getByText('Live', { exact: true }).waitFor();
  const status = async () => (await service.call('GET', `/invoices/${id}`)).json.status;
  const ask = async () => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Cancel the invoice' }).click();
  };
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Cancel the invoice' });
  await ask();
  const { json } = await service.call('GET', `/invoices/${id}`);
  await made('PUT', `/invoices/${id}`, { ...json, status: 'approved' });
  await page.getByRole('button', { name: 'Mark paid', includeHidden: true }).waitFor();
  await confirm.click();
  await question.getByText(/Somebody else has changed it/).waitFor();
  expect(await status()).toBe('approved');
  await question.getByRole('button', { name: 'Cancel', exact: true }).click();
  await ask();
  await confirm.click();
  await expect.poll(status).toBe('cancelled');
  await close();
});

test('an invoice is disputed with a reason', async () => {
  const id = await makeInvoice('G-7', 'Tyres');
  const { page, close } = await signedIn(`/invoices/${id}`);
  await page.getByRole('button', { name: 'Dispute' }).click();
  const dialog = page.getByRole('dialog', { name: 'Dispute the invoice' });
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Two tyres were delivered');
  await dialog.getByRole('button', { name: 'Dispute' }).click();
  await page.getByText('Disputed: Two tyres were delivered').waitFor();
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await close();
});

test('without a connection nothing is decided on an invoice, not even later', async () => {
  const id = await makeInvoice('G-8', 'Oil');
  const { page, close } = await signedIn(`/invoices/${id}`);
  const approve = page.getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  await page.context().setOffline(true);
  await approve.click();
  await page.getByRole('alert').filter({ hasText: 'The service does not answer' }).waitFor();
  await approve.waitFor();
  const before = await service.call('GET', `/invoices/${id}`);
  await made('PUT', `/invoices/${id}`, { ...before.json, note: 'Paid by the insurance' });

  await page.context().setOffline(false);
  await page.getByText('Paid by the insurance').waitFor();
  await approve.click();
  await page.getByRole('button', { name: 'Mark paid' }).waitFor();
  await expect
    .poll(async () => {
      const { json } = await service.call('GET', `/invoices/${id}`);
      return [json.status, json.note];
    })
    .toEqual(['approved', 'Paid by the insurance']);
  await close();
});
