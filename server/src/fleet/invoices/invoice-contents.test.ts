import { expect, test } from 'vitest';
import { turnsOf } from '../../testing/turns-of.ts';
import { completeInvoice } from './calculation/complete-invoice.ts';
import type { InvoiceRequest, NewInvoice } from './invoice.ts';
import { hasSameContents } from './invoice-contents.ts';
import { partsAtOnce } from './yield-between-lines.ts';

const line = { text: '1', unitPrice: '10', vatRate: '19' };

async function complete(request: InvoiceRequest): Promise<NewInvoice> {
  return (await completeInvoice(request, { currency: 'EUR', status: 'open' })).invoice;
}

test.each<[string, InvoiceRequest]>([
  ['decimals that are written differently', { lines: [{ ...line, unitPrice: '10.00' }] }],
  ['lists that are empty', { lines: [{ ...line, charges: [] }], allowances: [] }],
  ['the note', { lines: [line], note: 'Checked' }],
  ['how a line is assigned', { lines: [{ ...line, kind: 'repair', vehicleId: 'DE*ABC*1' }] }],
])('%s make no other contents', async (_what, request) => {
  const invoice = await complete({ lines: [line] });
  expect(await hasSameContents(invoice, await complete(request))).toBe(true);
  expect(await hasSameContents(await complete(request), invoice)).toBe(true);
});

test.each<[string, InvoiceRequest]>([
  ['a price', { lines: [{ ...line, unitPrice: '10.01' }] }],
  ['a text, though it is a decimal', { lines: [{ ...line, text: '1.0' }] }],
  ['a line more', { lines: [line, line] }],
  ['a charge', { lines: [{ ...line, charges: [{ amount: 0 }] }] }],
  ['a supplier', { lines: [line], supplier: { name: 'Example Garage' } }],
])('%s makes other contents', async (_what, request) => {
  const [invoice, other] = [await complete({ lines: [line] }), await complete(request)];
  expect(await hasSameContents(invoice, other)).toBe(false);
  expect(await hasSameContents(other, invoice)).toBe(false);
});

test('other requests run between the lines that are compared', async () => {
  const invoice = await complete({ lines: Array.from({ length: 2_000 }, () => line) });
  const comparison = hasSameContents(invoice, structuredClone(invoice));
  expect(await turnsOf(comparison)).toBeGreaterThanOrEqual(2_000 / partsAtOnce);
  expect(await comparison).toBe(true);
});
