import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/db/database.ts';
import { unauthorized } from '../../platform/http/problem.ts';
import { requireContract } from '../../testing/contract/document.ts';
import {
  ciiInvoice,
  pdfWith,
  ublCreditNote,
  ublInvoice,
} from '../../testing/electronic-invoices.ts';
import { onePixel } from '../../testing/images.ts';
import { makeFleet } from '../../testing/make-fleet.ts';
import { problemType } from '../../testing/problem-type.ts';
import { startTestService, type TestService } from '../../testing/test-service.ts';
import { storedFiles } from '../../testing/uploads.ts';
import { createInvoiceFromDocument } from './create-invoice-from-document.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ uploadLimitBytes: 30_000_000 });
  await makeFleet(service.db, 'DE', 'ABC', 3);
  await makeFleet(service.db, 'FR', 'XYZ', 1);
  await service.db.query(
    `update vehicles set license_plate = 'HH-MP 1001' where id = 'DE*ABC*T0007'`,
  );
  await service.db.query(`update vehicles set vin = 'WVWZZZE1ZMP000123' where id = 'DE*ABC*T0014'`);
  await service.db.query(
    `update vehicles set license_plate = 'HH MP 1001', vin = 'WVWZZZE1ZMP000999' where provider = 'FR-XYZ'`,
  );
});
afterAll(() => service.stop());
beforeEach(() => service.db.query('delete from invoices'));

async function post(body: string | Buffer, headers: Record<string, string> = {}, realm = 'DE-ABC') {
  const authorization = `Bearer ${await service.token(realm)}`;
  const path = `/api/fleets/v1/${realm.replace('-', '/')}/invoices/documents`;
  const answer = await service.send({
    method: 'POST',
    path,
    headers: { authorization, ...headers },
    body: Buffer.from(body),
  });
  requireContract('POST', path, answer);
  return answer;
}
const count = async () => (await service.db.query('select 1 from invoices')).length;

test('an XRechnung becomes an open invoice (201, Location, ETag) in minor units, and is kept as its file', async () => {
  const made = await post(ublInvoice(), { 'content-type': 'application/xml' });
  expect(made.status).toBe(201);
  expect(made.headers.location).toBe(`/api/fleets/v1/DE/ABC/invoices/${made.json.id}`);
  expect(made.json).toMatchObject({
    type: 'invoice',
    status: 'open',
    number: 'R-1',
    supplier: {
      name: 'Werkstatt Mitte GmbH',
      vatId: 'DE123456788',
      registration: 'HRB 12345',
      address: { street: 'Werkstraße 3', postalCode: '20457', city: 'Hamburg', countryCode: 'DE' },
    },
    customerReference: '04011000-12345-03',
    orderReference: '4500012345',
    issueDate: '2026-10-30',
    dueDate: '2026-11-13',
    serviceDate: '2026-10-28',
    servicePeriod: { from: '2026-10-01', to: '2026-10-31' },
    currency: 'EUR',
    allowances: [{ amount: 1_000, reason: 'Discount', vatCategory: 'S', vatRate: '19' }],
    charges: [{ amount: 500, reasonCode: 'FC', vatCategory: 'S', vatRate: '19' }],
    lines: [
      {
        lineNumber: '1',
        text: 'Engine oil',
        kind: 'maintenance',
        quantity: '4.5',
        unit: 'LTR',
        unitPrice: '11',
        netAmount: 4_780,
        allowances: [{ amount: 200, reason: 'Returned can' }],
        charges: [{ amount: 30, reason: 'Disposal' }],
        vehicleId: 'DE*ABC*T0007',
      },
      { lineNumber: '2', text: 'Labour', quantity: '1', unit: 'HUR', netAmount: 10_000 },
    ],
    vatBreakdown: [{ vatCategory: 'S', vatRate: '19', taxableAmount: 14_280, taxAmount: 2_713 }],
    totals: {
      lineNetAmount: 14_780,
      allowanceAmount: 1_000,
      chargeAmount: 500,
      taxExclusiveAmount: 14_280,
      taxAmount: 2_713,
      taxInclusiveAmount: 16_993,
      prepaidAmount: 0,
      roundingAmount: 0,
      payableAmount: 16_993,
    },
    blobs: [{ filename: 'R-1.xml', uploaded: true }],
  });
  expect(made.json.lines[1].vehicleId).toBeUndefined();
  const read = await service.call('GET', `/invoices/${made.json.id}`);
  expect([read.json, read.headers.etag]).toEqual([made.json, made.headers.etag]);
  const [file] = made.json.blobs;
  const kept = await service.call('GET', `/blobs/invoices/${made.json.id}/${file.uuid}`);
  expect(kept.headers['content-type']).toBe('application/xml');
  expect(kept.text).toBe(ublInvoice());
});

test('a credit note is one, with positive amounts', async () => {
  const { status, json } = await post(ublCreditNote());
  expect([status, json.type, json.totals.payableAmount]).toEqual([201, 'credit_note', 16_993]);
});

test('a Factur-X becomes an invoice, whatever type it is sent under, and its VIN links the vehicle', async () => {
  const pdf = await pdfWith({ 'factur-x.xml': ciiInvoice() });
  const { status, json } = await post(pdf, { 'content-type': 'image/png' });
  expect(status).toBe(201);
  expect(json).toMatchObject({
    number: 'C-1',
    lines: [{ kind: 'energy', unitPrice: '0.4315', vehicleId: 'DE*ABC*T0014' }],
    blobs: [{ filename: 'C-1.pdf', uploaded: true }],
  });
});

test('a receipt is stored without a second connection while a transaction has one', async () => {
  let inTransaction = false;
  const beside: string[] = [];
  const db: Database = {
    ...service.db,
    query(text, values, budget) {
      if (inTransaction) beside.push(text);
      return service.db.query(text, values, budget);
    },
    transaction: (work, mode) =>
      service.db.transaction(async (tx) => {
        inTransaction = true;
        const result = await work(tx);
        inTransaction = false;
        return result;
      }, mode),
  };
  const input = {
    provider: { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    header: () => undefined,
    bytes: Readable.from([await pdfWith({})]),
    stillAuthorized() {},
    keepAnswer: async () => {},
  };
  const dependencies = { ...service.dependencies, db };
  const { status, body } = await createInvoiceFromDocument.handler(input as never, dependencies);
  expect([status, body]).toMatchObject([201, { status: 'draft', currency: 'EUR' }]);
  expect(beside).toEqual([]);
});

test('whoever may no longer write once the document has been read leaves nothing', async () => {
  const before = [await count(), (await storedFiles(service)).length];
  const input = {
    provider: { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    header: () => undefined,
    bytes: Readable.from([Buffer.from(ublInvoice())]),
    stillAuthorized() {
      throw unauthorized('DE-ABC', true);
    },
  };
  const answer = createInvoiceFromDocument.handler(input as never, service.dependencies);
  await expect(answer).rejects.toMatchObject({ status: 401 });
  expect([await count(), (await storedFiles(service)).length]).toEqual(before);
});

test('a store that cannot be read is told as such, and leaves nothing', async () => {
  const blobs = { ...service.dependencies.blobs, get: () => Promise.reject(new Error('away')) };
  const input = {
    provider: { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' },
    header: () => undefined,
    bytes: Readable.from([Buffer.from(ublInvoice())]),
  };
  const answer = createInvoiceFromDocument.handler(input as never, {
    ...service.dependencies,
    blobs,
  });
  await expect(answer).rejects.toMatchObject({
    status: 503,
    detail: expect.stringContaining('file storage'),
  });
  expect(await count()).toBe(0);
});

test('a document of a provider that takes long to be read delays those of no other', async () => {
  const answered: string[] = [];
  const note = (name: string) => () => answered.push(name);
  const slow = post(slowPdf(40), {}, 'FR-XYZ').then(note('slow'));
  // In its process by then.
  await expect.poll(() => storedFiles(service)).not.toEqual([]);
  await post(await pdfWith({ 'factur-x.xml': ciiInvoice() })).then(note('PDF'));
  await post(ublInvoice()).then(note('XML'));
  await slow;
  expect(answered).toEqual(['PDF', 'XML', 'slow']);
});

test('documents that are read quickly wait for none that takes long, not even of the same provider', async () => {
  const answered: string[] = [];
  const note = (name: string) => () => answered.push(name);
  const slow = post(slowPdf(40)).then(note('slow'));
  await expect.poll(() => storedFiles(service)).not.toEqual([]);
  await post(ublInvoice()).then(note('XML'));
  await post(onePixel).then(note('picture'));
  await slow;
  expect(answered).toEqual(['XML', 'picture', 'slow']);
});

/** The attachments of a PDF, which are one stream that is long to decode. */
function slowPdf(attachments: number): Buffer {
  const spaces = deflateSync(Buffer.alloc(10_000_000, ' '));
  const names = Array.from(
    { length: attachments },
    (_, number) => `(${number}) << /Type /Filespec /F (${number}.xml) /EF << /F 3 0 R >> >>`,
  );
  const head = `3 0 obj\n<< /Type /EmbeddedFile /Filter [/FlateDecode /ASCIIHexDecode] /Length ${spaces.length} >>\nstream\n`;
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    Buffer.from(
      `1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [${names.join(' ')}] >> >> >>\nendobj\n`,
    ),
    Buffer.from('2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n'),
    Buffer.from(head),
    spaces,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Root 1 0 R /Size 4 >>\n%%EOF\n'),
  ]);
}

test('only a vehicle of the provider is linked, and none of several', async () => {
  const foreign = await post(ciiInvoice({ vin: 'WVWZZZE1ZMP000999' }));
  expect(foreign.json.lines[0].vehicleId).toBeUndefined();
  const both = 'HH-MP 1001 und B-MP 2';
  const ambiguous = await post(ublInvoice({ number: 'R-2', note: both }));
  expect(ambiguous.json.lines[0].vehicleId).toBeUndefined();
});

test('a reference of the invoice links all lines that name no vehicle themselves', async () => {
  const xml = ublInvoice({ note: 'FIN WVWZZZE1ZMP000123' }).replace(
    '04011000-12345-03',
    'HH MP1001',
  );
  const { json } = await post(xml);
  const ids = json.lines.map(({ vehicleId }: { vehicleId: string }) => vehicleId);
  expect(ids).toEqual(['DE*ABC*T0014', 'DE*ABC*T0007']);
});

test('rules that are broken are answered with their numbers, places and values (422), and nothing is kept', async () => {
  const files = (await storedFiles(service)).length;
  const { status, json } = await post(
    ublInvoice()
      .replace('>147.80<', '>147.81<')
      .replace('<cbc:IssueDate>2026-10-30</cbc:IssueDate>', ''),
  );
  expect(status).toBe(422);
  expect(json.type).toEqual(problemType('invalid-invoice'));
  expect(json.errors).toEqual([
    {
      pointer: '/Invoice',
      rule: 'BR-03',
      term: 'BT-2',
      detail: 'BR-03, BT-2: The issue date is missing.',
    },
    expect.objectContaining({
      pointer: '/Invoice/LegalMonetaryTotal',
      rule: 'BR-CO-10',
      term: 'BT-106',
      found: '147.81',
      expected: '147.8',
    }),
    expect.objectContaining({ rule: 'BR-CO-13' }),
  ]);
  expect([await count(), (await storedFiles(service)).length]).toEqual([0, files]);
});

test('a profile without lines is no invoice of EN 16931 (422, BR-16)', async () => {
  const xml = ciiInvoice().replace(
    /<ram:IncludedSupplyChainTradeLineItem>.*<\/ram:IncludedSupplyChainTradeLineItem>/s,
    '',
  );
  const { status, json } = await post(await pdfWith({ 'factur-x.xml': xml }));
  expect([status, json.errors[0].rule]).toEqual([422, 'BR-16']);
});

test.each([
  ['a unit that is no code', 'unitCode="LTR"', 'unitCode="litre"', 'BR-CL-23'],
  ['a currency that is none', 'EUR', 'EUX', 'BR-CL-04'],
  ['a quantity that is too precise', '>4.5<', '>4.12345678901<', 'LIMIT'],
  ['a currency with the name of a property', 'EUR', 'constructor', 'BR-CL-04'],
  ['a date in the year 0', '2026-10-30', '0000-10-30', 'FORMAT'],
])('%s is refused (422)', async (_, from, to, rule) => {
  const { status, json } = await post(ublInvoice().replaceAll(from, to));
  expect([status, json.errors[0].rule]).toEqual([422, rule]);
});

/** Lines that change no total. */
const freeLines = (count: number, text: string, charges = '') =>
  `<cac:InvoiceLine><cbc:ID>3</cbc:ID><cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity><cbc:LineExtensionAmount currencyID="EUR">0.00</cbc:LineExtensionAmount>${charges}<cac:Item><cbc:Description>${text}</cbc:Description><cbc:Name>Check</cbc:Name><cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount currencyID="EUR">0</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`.repeat(
    count,
  );
const freeLine = freeLines(1, 'a');
const withLines = (lines: string) => ublInvoice().replace('</Invoice>', `${lines}</Invoice>`);

test('lines that cancel each other out are refused (422) where each is too large with its VAT', async () => {
  const taxed = freeLine.replace('>19<', '>999999999999<');
  const lines = ['900719925474.91', '-900719925474.91'].map((amount) =>
    taxed
      .replace('>0.00<', `>${amount}<`)
      .replace('>1<', amount.startsWith('-') ? '>-1<' : '>1<')
      .replace('>0<', '>900719925474.91<'),
  );
  const breakdown = /<cac:TaxSubtotal>.*?<\/cac:TaxSubtotal>/s;
  const xml = withLines(lines.join(''));
  const [subtotal = ''] = breakdown.exec(xml) ?? [];
  const zero = subtotal
    .replaceAll(/>[\d.]+<\/cbc:(TaxableAmount|TaxAmount)/g, '>0.00</cbc:$1')
    .replace(/>\d+<\/cbc:Percent/, '>999999999999</cbc:Percent');
  const { status, json } = await post(xml.replace(breakdown, (found) => found + zero));
  expect([status, json.errors?.map(({ rule }: { rule: string }) => rule)]).toEqual([
    422,
    ['LIMIT', 'LIMIT'],
  ]);
});

test('an invoice is kept with at most 1 MiB, however long the descriptions of its lines are, and can be overwritten', async () => {
  const made = await post(withLines(freeLines(300, 'a'.repeat(10_000))));
  expect(made.status).toBe(201);
  expect(Buffer.byteLength(made.text)).toBeLessThan(1_048_576);
  expect(made.json.lines[2].description).toMatch(/^a{1000,}…$/);
  const approved = { ...made.json, status: 'approved' };
  const put = await service.call('PUT', `/invoices/${made.json.id}`, approved);
  expect(put.status, put.text.slice(0, 500)).toBe(200);
});

test('an invoice of as many lines as there may be can be approved', async () => {
  const made = await post(withLines(freeLines(1_990, 'Ladevorgang')));
  expect(made.status, made.text.slice(0, 500)).toBe(201);
  const approved = { ...made.json, status: 'approved' };
  const put = await service.call('PUT', `/invoices/${made.json.id}`, approved);
  expect(put.status, put.text.slice(0, 500)).toBe(200);
});

test('an invoice that is larger without its descriptions is refused (422), and nothing is kept', async () => {
  const charge = `<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:AllowanceChargeReason>${'a'.repeat(1_000)}</cbc:AllowanceChargeReason><cbc:Amount currencyID="EUR">0.00</cbc:Amount></cac:AllowanceCharge>`;
  const { status, json } = await post(withLines(freeLines(20, 'a', charge.repeat(50))));
  expect([status, json.errors.map(({ rule }: { rule: string }) => rule)]).toEqual([422, ['LIMIT']]);
  expect(await count()).toBe(0);
});

test('the same document twice is refused (409), also at once, and leaves one invoice with one file', async () => {
  const files = (await storedFiles(service)).length;
  const answers = await Promise.all(Array.from({ length: 4 }, () => post(ublInvoice())));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
  expect((await post(ublInvoice())).status).toBe(409);
  expect([await count(), (await storedFiles(service)).length]).toEqual([1, files + 1]);
});

test.each([
  [
    'a document type declaration',
    ublInvoice().replace('<Invoice', '<!DOCTYPE Invoice [<!ENTITY x "y">]><Invoice'),
  ],
  ['half a document', ublInvoice().slice(0, 2_000)],
  ['a broken PDF', '%PDF-1.7 nothing'],
])('%s is malformed (400)', async (_, body) => {
  const { status, json } = await post(body);
  expect([status, json.type]).toEqual([400, problemType('invalid-body')]);
});

test.each([
  ['another root', '<Order xmlns="urn:oasis:names:specification:ubl:schema:xsd:Order-2"/>'],
  ['text', 'An invoice'],
  ['nothing', ''],
])('%s is not read (415)', async (_, body) => {
  const { status, json } = await post(body, { 'content-type': 'application/xml' });
  expect([status, json.type]).toEqual([415, problemType('unsupported-document')]);
});

test('more bytes than are read are refused (413)', async () => {
  const { status } = await post(Buffer.alloc(21 * 1_048_576, ' '));
  expect(status).toBe(413);
});
