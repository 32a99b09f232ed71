import { expect, test } from 'vitest';
import type { RecognisedDocument } from '../../../platform/text-recognition/recognised-document.ts';
import { readReceipt, receiptOf } from './read-receipt.ts';
import { linesOfDocument, receiptSuggestions } from './receipt-suggestions.ts';

/** A page whose words stand as in the text, each ten units wide. */
function documentOf(text: string, confidence = 1): RecognisedDocument {
  const lines = text.trim().split('\n');
  const words = lines.flatMap((line, row) =>
    line
      .trim()
      .split(/\s+/)
      .map((word, column) => ({
        text: word,
        confidence,
        box: { x: 10 + column * 12, y: row * 20, width: 10, height: 10 },
      })),
  );
  const page = { width: 200, height: lines.length * 20, words, tickBoxes: [], text };
  return { pages: [page], pageCount: 1, source: 'recognition' };
}

function fieldsOf(text: string): Record<string, string> {
  const found = receiptSuggestions(linesOfDocument(documentOf(text)));
  return Object.fromEntries(found.map(({ field, value }) => [field, value]));
}

test('a German invoice on paper', () => {
  const fields = fieldsOf(`
    Reifen Nord GmbH & Co. KG
    Hafenstr. 5, 20457 Hamburg
    USt-IdNr.: DE 123 456 789
    Rechnungs-Nr.: 2026/0815-A
    Rechnungsdatum: 03.11.2026
    Zahlbar bis 17.11.26
    4 Winterreifen 98,50 394,00
    Nettobetrag 1.394,00 €
    MwSt. 19,00 % 264,86 €
    Gesamtbetrag 1.658,86 €`);
  expect(fields).toEqual({
    number: '2026/0815-A',
    issueDate: '2026-11-03',
    dueDate: '2026-11-17',
    supplierName: 'Reifen Nord GmbH & Co. KG',
    supplierVatId: 'DE123456789',
    currency: 'EUR',
    taxExclusiveAmount: '139400',
    taxAmount: '26486',
    payableAmount: '165886',
  });
});

test('an English receipt', () => {
  const fields = fieldsOf(`
    Harbour Car Park Ltd
    Receipt No. 88-1204
    Date: 2026-11-02 14:31
    Subtotal £10.00
    VAT 20% £2.00
    Amount due £12.00`);
  expect(fields).toMatchObject({
    number: '88-1204',
    issueDate: '2026-11-02',
    supplierName: 'Harbour Car Park Ltd',
    currency: 'GBP',
    taxExclusiveAmount: '1000',
    taxAmount: '200',
    payableAmount: '1200',
  });
});

test('what is not there is not suggested, and dates must exist', () => {
  const fields = fieldsOf('Quittung\nDatum 31.02.2026\nvielen Dank');
  expect(fields).toEqual({ supplierName: 'Quittung' });
});

test('a suggestion has its place as shares of the page, and is as sure as the words were read', () => {
  const lines = linesOfDocument(documentOf('Waschpark\nSumme EUR 14,90', 0.5));
  const found = receiptSuggestions(lines).find(({ field }) => field === 'payableAmount');
  expect(found).toEqual({
    field: 'payableAmount',
    value: '1490',
    confidence: 0.3,
    page: 1,
    box: { x: 0.05, y: 0.5, width: 0.17, height: 0.25 },
  });
});

test('other work is done while a document of many seeming plates is read, of which few are looked up', async () => {
  const line = `Total ${'A1-'.repeat(150)}`;
  const document = documentOf(Array.from({ length: 50 }, () => line).join('\n'));
  let turns = 0;
  const counting = setInterval(() => turns++, 1);
  const json = new TextEncoder().encode(JSON.stringify(document));
  const receipt = await readReceipt({ json });
  clearInterval(counting);
  expect(turns).toBeGreaterThan(0);
  expect(receipt).toEqual(receiptOf(document));

  const plates = Array.from({ length: 6_000 }, (_, index) => `HH-MP ${1_000 + index}`);
  const { vehicles } = receiptOf(documentOf(plates.join('\n')));
  const hints = vehicles.reduce((sum, one) => sum + one.hints.plates.size, 0);
  expect(vehicles[0]).toMatchObject({
    hints: { plates: new Set(['HHMP1000', 'MP1000']) },
    suggestion: { field: 'vehicleId', page: 1 },
  });
  expect(hints).toBe(10_000);
});
