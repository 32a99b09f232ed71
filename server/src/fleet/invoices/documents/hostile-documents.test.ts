import { setImmediate } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Queryable } from '../../../platform/db/database.ts';
import { createPace } from '../../../platform/pace.ts';
import { ciiInvoice, pdfWith, ublInvoice } from '../../../testing/electronic-invoices.ts';
import { turnsOf } from '../../../testing/turns-of.ts';
import { partsAtOnce } from '../yield-between-lines.ts';
import { documentPace } from './document-pace.ts';
import type { InvoiceLine, VatBreakdown } from './electronic-invoice.ts';
import { Findings } from './finding.ts';
import { maxInvoiceBytes } from './fit-descriptions.ts';
import { kindOfLine } from './line-kind.ts';
import { documentHints, findVehicles, linkVehicles, maxNames } from './link-vehicles.ts';
import { xmlBounds } from './parse-xml.ts';
import { pdfAttachments } from './pdf-attachments.ts';
import { cii } from './read-cii.ts';
import { readDocument } from './read-document.ts';
import { maxElementsOfPart, vatBounds } from './read-xml-invoice.ts';
import { checkRules } from './rules/check-rules.ts';
import { checkTotals } from './rules/totals.ts';
import { toInvoice } from './to-invoice.ts';
import { vehicleHints } from './vehicle-hints.ts';
import type { XmlElement } from './xml-element.ts';
import { elementsAtOnce } from './yield-between-elements.ts';

const root = ublInvoice().slice(0, ublInvoice().indexOf('<cbc:CustomizationID>'));
const malformed = (message: RegExp) =>
  expect.objectContaining({ reason: 'malformed', message: expect.stringMatching(message) });
const unsupported = (message: RegExp) =>
  expect.objectContaining({ reason: 'unsupported', message: expect.stringMatching(message) });

describe('XML', () => {
  const declared = (doctype: string, value: string) =>
    ublInvoice().replace('<Invoice', `${doctype}<Invoice`).replace('R-1', value);

  const entities = Array.from(
    { length: 9 },
    (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`,
  );

  test.each([
    [
      'entities of entities',
      declared(`<!DOCTYPE Invoice [<!ENTITY a0 "a">${entities.join('')}]>`, '&a9;'),
    ],
    [
      'a file as an entity',
      declared('<!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]>', '&x;'),
    ],
    [
      'a definition elsewhere',
      declared('<!DOCTYPE Invoice SYSTEM "http://127.0.0.1:1/x.dtd">', 'R-1'),
    ],
    [
      'parameter entities',
      declared('<!DOCTYPE x [<!ENTITY % a SYSTEM "http://127.0.0.1:1/">%a;]>', 'R-1'),
    ],
  ])('%s: a document type declaration is refused', async (_, xml) => {
    await expect(readDocument(Buffer.from(xml))).rejects.toEqual(malformed(/type declaration/));
  });

  test.each([
    ['an entity that is not declared', ublInvoice().replace('R-1', '&x;'), /well-formed/],
    ['half a document', ublInvoice().slice(0, 3_000), /well-formed/],
    ['two roots', `${ublInvoice()}<x/>`, /well-formed/],
    ['a prefix that is not bound', ublInvoice().replace('<cbc:ID>', '<abc:ID>'), /well-formed/],
    [
      'an attribute twice',
      ublInvoice().replace('unitCode="LTR"', 'unitCode="1" unitCode="2"'),
      /well-formed/,
    ],
    ['a control character', ublInvoice().replace('R-1', 'R\u0001'), /well-formed/],
    ['no element', '<!-- nothing -->', /well-formed/],
    ['a long name of an element', `${root}<cac:${'a'.repeat(197)}>`, /characters in one name/],
    // As keys of a set, those of one length are compared with each other: 1,200 identifiers took seconds.
    [
      'a text that V8 has no hash of its own for',
      ublInvoice().replace('Thank you', 'a'.repeat(16_384)),
      /characters in one element/,
    ],
    [
      'a long namespace',
      ublInvoice().replace('<Invoice', `<Invoice xmlns:a="urn:${'a'.repeat(200)}"`),
      /characters in one name/,
    ],
    ['a long default namespace', `<Invoice xmlns="${'a'.repeat(201)}">`, /characters in one name/],
    [
      'a long name of an attribute',
      ublInvoice().replace('unitCode=', `${'a'.repeat(201)}="" unitCode=`),
      /characters in one name/,
    ],
    ['100,000 levels', root + '<cac:Party>'.repeat(100_000), /levels of elements/],
    [
      'a flood of attributes',
      `${root}<cbc:ID ${Array.from({ length: 100_000 }, (_, i) => `a${i}=""`).join(' ')}/>`,
      /attributes of an element/,
    ],
    [
      'a flood of elements',
      `${root}<cac:Party>${`<cac:Party>${'<cbc:Note/>'.repeat(4_000)}</cac:Party>`.repeat(xmlBounds.elements / 4_000)}`,
      /200000 elements/,
    ],
    ['a flood of lines', `${root}${'<cac:InvoiceLine/>'.repeat(20_000)}</Invoice>`, /in one/],
    [
      'a flood of VAT rates',
      `${root}<cac:TaxTotal>${'<cac:TaxSubtotal/>'.repeat(10_000)}</cac:TaxTotal></Invoice>`,
      /in one/,
    ],
    [
      'a flood of VAT totals',
      `${root}${'<cac:TaxTotal/>'.repeat(vatBounds.totals + 1)}</Invoice>`,
      /1000 VAT totals/,
    ],
    [
      'a flood of VAT rates in several totals',
      `${root}${`<cac:TaxTotal>${'<cac:TaxSubtotal/>'.repeat(vatBounds.parts / 2 + 1)}</cac:TaxTotal>`.repeat(2)}</Invoice>`,
      /1000 parts of the VAT breakdown/,
    ],
    [
      'a flood of VAT totals in CII',
      ciiInvoice().replace(/<ram:TaxTotalAmount.*<\/ram:TaxTotalAmount>/, (total) =>
        total.repeat(vatBounds.totals + 1),
      ),
      /1000 VAT totals/,
    ],
    [
      'a flood of VAT rates in CII',
      ciiInvoice().replace(
        /<ram:ApplicableTradeTax><ram:Calc.*<\/ram:ApplicableTradeTax>/,
        (part) => part.repeat(vatBounds.parts + 1),
      ),
      /1000 parts of the VAT breakdown/,
    ],
    [
      'a flood of allowances in a line',
      `${root}<cac:InvoiceLine>${'<cac:AllowanceCharge><cbc:Amount/><cbc:BaseAmount/></cac:AllowanceCharge>'.repeat(maxElementsOfPart / 2)}</cac:InvoiceLine></Invoice>`,
      /10000 elements in a line/,
    ],
    [
      'a flood of addresses',
      `${root}<cac:Delivery>${`<cac:DeliveryLocation>${'<cac:Address/>'.repeat(maxElementsOfPart / 4)}</cac:DeliveryLocation>`.repeat(4)}</cac:Delivery></Invoice>`,
      /10000 elements outside of its lines/,
    ],
    [
      'a flood of lines in several parts of CII',
      ciiInvoice().replace(
        '</rsm:SupplyChainTradeTransaction>',
        (end) =>
          `${end}<rsm:SupplyChainTradeTransaction>${'<ram:IncludedSupplyChainTradeLineItem/>'.repeat(xmlBounds.childrenOfElement)}${end}`,
      ),
      /5000 lines/,
    ],
    [
      'a flood of embedded files',
      root + '<cbc:EmbeddedDocumentBinaryObject/>'.repeat(xmlBounds.embeddedFiles + 1),
      /embedded files/,
    ],
    [
      'a text of megabytes',
      ublInvoice().replace('Thank you', 'a\n '.repeat(xmlBounds.characters)),
      /characters in one/,
    ],
    [
      'a text of many pieces',
      ublInvoice().replace('Thank you', '<![CDATA[a]]>'.repeat(xmlBounds.characters)),
      /characters in one/,
    ],
    [
      'an attribute of megabytes',
      ublInvoice().replace('"LTR"', `"${'L '.repeat(xmlBounds.characters)}"`),
      /characters in one/,
    ],
    [
      'a comment of megabytes',
      ublInvoice().replace('<cbc:Note>', `<!--${'-a'.repeat(1_000_000)}--><cbc:Note>`),
      /bytes in one part/,
    ],
    [
      'a comment of megabytes in an embedded file',
      ublInvoice().replace('JVBERg==', `<!--${'-a'.repeat(1_000_000)}-->`),
      /bytes in one part/,
    ],
    ...['\r', '<cbc:ID unitCode="\t', '<cbc:ID unitCode="\n', '<!--\r', '&\r'].map(
      (start): [string, string, RegExp] => [
        `megabytes of line breaks in an embedded file, after ${JSON.stringify(start)}`,
        ublInvoice().replace('JVBERg==', start + (start.at(-1) ?? '').repeat(2_000_000)),
        /bytes in one part/,
      ],
    ),
    [
      'megabytes of line breaks of XML 1.1 in an embedded file',
      ublInvoice()
        .replace(/<\?xml[^>]*>/, '<?xml version="1.1" encoding="UTF-8"?>')
        .replace('JVBERg==', '\x85'.repeat(2_000_000)),
      /bytes in one part/,
    ],
    ['an encoding that is not read', ublInvoice().replace('UTF-8', 'UTF-7'), /encoding UTF-7/],
    [
      'an encoding with the name of a property',
      ublInvoice().replace('UTF-8', 'constructor'),
      /encoding constructor/,
    ],
    ['UTF-8 that is none', Buffer.from(ublInvoice(), 'latin1'), /not in its encoding/],
  ])('%s is malformed', async (_, xml, message) => {
    await expect(readDocument(Buffer.from(xml))).rejects.toEqual(malformed(message));
  });

  test('an embedded file may be longer than a text, and have lines', async () => {
    for (const end of ['', '\n', '\r\n']) {
      const file = `${'QUFB'.repeat(16)}${end}`.repeat(50_000);
      const document = await readDocument(Buffer.from(ublInvoice().replace('JVBERg==', file)));
      expect(document).toMatchObject({ findings: [], invoice: { number: 'R-1' } });
    }
  });

  test('a vehicle is looked for in the first texts of a line, not in a flood of them', () => {
    const plates = (...texts: string[]) => [...vehicleHints(texts).plates];
    expect(plates('Tyres', 'HH-MP 1001')).toContain('HHMP1001');
    expect(plates(...Array.from({ length: 200 }, () => 'ten words '), 'HH-MP 1001')).toEqual([]);
  });

  test('vehicles that share a plate are gone through once, and a line is compared with two of them', async () => {
    let reads = 0;
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      id: `V${index}`,
      vin: null,
      plate: 'ZZAA1',
      get active() {
        reads++;
        return false;
      },
    }));
    const tx = { query: async () => rows } as unknown as Queryable;
    const { byPlate } = await findVehicles(tx, 'DE-ABC', [vehicleHints(['ZZ-AA 1'])]);
    expect(reads).toBeLessThanOrEqual(2 * rows.length);
    expect(byPlate.get('ZZAA1')?.size).toBe(2);
  });

  test('a flood of what may be plates is not looked up', async () => {
    const asked: number[] = [];
    const query = async (_text: string, [, , plates]: [string, string[], string[]]) => {
      asked.push(plates.length);
      return [];
    };
    const lines = Array.from({ length: maxNames / 100 + 1 }, (_, line) => ({
      vins: new Set<string>(),
      plates: new Set(Array.from({ length: 100 }, (_, word) => `A${line}B${word}`)),
    }));
    await findVehicles({ query } as unknown as Queryable, 'DE-ABC', lines);
    expect(asked).toEqual([maxNames]);
  });

  test('50 MB are refused before they are read', async () => {
    const xml = Buffer.concat([Buffer.from(root), Buffer.alloc(50_000_000, ' ')]);
    await expect(readDocument(xml)).rejects.toEqual(malformed(/bytes/));
  });

  test.each([
    [
      'another root',
      ublInvoice().replaceAll('Invoice ', 'Order ').replace('</Invoice>', '</Order>'),
    ],
    ['another namespace', ublInvoice().replaceAll(':Invoice-2"', ':Invoice-3"')],
    ['no namespace', '<Invoice/>'],
    ['a page', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ])('%s is no invoice that is read', async (_, xml) => {
    await expect(readDocument(Buffer.from(xml))).rejects.toEqual(unsupported(/The root is/));
  });

  test('as many digits as a text may have are told where they are no number', async () => {
    const digits = `>${'1'.repeat(xmlBounds.characters - 1)}x</cbc:Pay`;
    const xml = ublInvoice().replace('>169.93</cbc:Pay', digits);
    const finding = expect.objectContaining({ rule: 'FORMAT', term: 'BT-115' });
    expect(await readDocument(Buffer.from(xml))).toMatchObject({ findings: [finding] });
  });

  test.each([
    ['UTF-8 with a byte order mark', (xml: string) => Buffer.from(`\ufeff${xml}`)],
    [
      'UTF-16, little end first',
      (xml: string) => Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le'),
    ],
    [
      'UTF-16, big end first',
      (xml: string) => Buffer.from(`\ufeff${xml.replace('UTF-8', 'UTF-16')}`, 'utf16le').swap16(),
    ],
    ['ISO 8859-1', (xml: string) => Buffer.from(xml.replace('UTF-8', 'ISO-8859-1'), 'latin1')],
  ])('%s is read', async (_, encode) => {
    const { invoice } = await readDocument(encode(ublInvoice()));
    expect(invoice?.seller.address?.lines).toEqual(['Werkstraße 3']);
  });
});

test('more parts of a VAT breakdown than an invoice is kept with are told', async () => {
  const part = `<cac:TaxSubtotal><cac:TaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>19</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:TaxCategory></cac:TaxSubtotal>`;
  const totals = `<cac:TaxTotal>${part.repeat(101)}</cac:TaxTotal>`;
  const { invoice } = await readDocument(Buffer.from(`${root}${totals}</Invoice>`));
  if (!invoice) throw new Error('it was not recognised');
  const { invoice: kept, findings } = await toInvoice(invoice);
  expect(kept.vatBreakdown).toHaveLength(100);
  expect(findings.list).toContainEqual(
    expect.objectContaining({ rule: 'LIMIT', term: 'BG-23', found: '101' }),
  );
});

/** An electronic invoice of as many lines like its first as are asked for. */
async function sourceOf(lines: number, changed: Partial<InvoiceLine> = {}) {
  const { invoice } = await readDocument(Buffer.from(ublInvoice()));
  const [line] = invoice?.lines ?? [];
  if (!invoice || !line) throw new Error('it was not recognised');
  return { ...invoice, lines: Array.from({ length: lines }, () => ({ ...line, ...changed })) };
}
const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value));

test.each([
  ['1,000 long ones', 1_000, 'ä"\n'.repeat(2_500)],
  [
    '2,000 of a sentence',
    2_000,
    'What was done, to which vehicle, and why it had to be. '.repeat(9),
  ],
])('descriptions are shortened until the invoice fits: %s', async (_, count, itemDescription) => {
  const { invoice, findings } = await toInvoice(await sourceOf(count, { itemDescription }));
  expect(findings.list).toEqual([]);
  expect(bytesOf(invoice)).toBeLessThanOrEqual(maxInvoiceBytes);
  for (const { description = '' } of invoice.lines) {
    expect(description).toMatch(/…$/);
    expect(itemDescription.startsWith(description.slice(0, -1))).toBe(true);
  }
});

/** However long a slice took, so that turns tell of slices. */
function pauseForOneTurn(): void {
  const pace = createPace(() => 0, setImmediate);
  vi.spyOn(documentPace, 'begin').mockImplementation(() => pace.begin('documents'));
}
afterEach(() => void vi.restoreAllMocks());

test('one long description stays whole beside many short ones', async () => {
  const source = await sourceOf(2_000, { notes: [] });
  const long = 'a'.repeat(10_000);
  const [first, ...others] = source.lines as [InvoiceLine, ...InvoiceLine[]];
  const { invoice } = await toInvoice({
    ...source,
    lines: [{ ...first, itemDescription: long }, ...others],
  });
  expect(invoice.lines[0]?.description).toBe(long);
});

test('an invoice that is too large without its descriptions is told', async () => {
  const { lines } = await sourceOf(1);
  const [charge] = lines[0]?.charges ?? [];
  if (!charge) throw new Error('the line has no charge');
  const charges = Array.from({ length: 100 }, () => ({ ...charge, reason: 'a'.repeat(1_000) }));
  const { findings } = await toInvoice(await sourceOf(10, { charges }));
  expect(findings.list).toEqual([
    expect.objectContaining({ rule: 'LIMIT', message: expect.stringMatching(/917504 bytes/) }),
  ]);
});

test('other requests run between small pieces of a document, also of what is left out', async () => {
  pauseForOneTurn();
  const document = `${root}${'<?a?>'.repeat(100_000)}</Invoice>`;
  const turns = await turnsOf(readDocument(Buffer.from(document)).catch(() => {}));
  expect(turns).toBeGreaterThanOrEqual(document.length / 8_192);
});

test('other requests run between the lines that are read and checked, by their elements', async () => {
  pauseForOneTurn();
  const allowances = 249;
  const line = `<cac:InvoiceLine>${'<cac:AllowanceCharge/>'.repeat(allowances)}</cac:InvoiceLine>`;
  const xml = `${root}${line.repeat(40)}</Invoice>`;
  const slices = (40 * (allowances + 1)) / elementsAtOnce;
  // Read, checked by the rules of lines, and by those of decimals.
  expect(await turnsOf(readDocument(Buffer.from(xml)))).toBeGreaterThanOrEqual(3 * slices);
});

test('other requests run between the lines that become those of an invoice, by their charges', async () => {
  const { lines } = await sourceOf(1);
  const [charge] = lines[0]?.charges ?? [];
  if (!charge) throw new Error('the line has no charge');
  const charges = Array.from({ length: 49 }, () => charge);
  const source = await sourceOf(100, { allowances: [], charges });
  expect(await turnsOf(toInvoice(source))).toBeGreaterThanOrEqual((100 * 50) / partsAtOnce);
});

test('other requests run between the lines whose vehicles are looked for', async () => {
  pauseForOneTurn();
  const source = await sourceOf(100, { notes: ['A '.repeat(1_000)] });
  expect(await turnsOf(documentHints(source))).toBeGreaterThanOrEqual(20);
  const tx = { query: async () => [] } as unknown as Queryable;
  const provider = { id: 'DE-ABC', countryCode: 'DE', code: 'ABC' };
  const [hints, { invoice }] = [await documentHints(source), await toInvoice(source)];
  expect(await turnsOf(linkVehicles(tx, provider, hints, invoice))).toBeGreaterThanOrEqual(2);
});

test('the kind of a line follows from the start of its text', () => {
  expect(kindOfLine('Winter tyres', 'C62')).toBe('tyres');
  expect(kindOfLine(`${'lade'.repeat(100)} tyres`, 'C62')).toBe('other');
});

test('a VAT breakdown that the totals of CII share is added up once', async () => {
  const { invoice } = await readDocument(Buffer.from(ciiInvoice()));
  const [total] = invoice?.vatTotals ?? [];
  if (!invoice || !total) throw new Error('it was not recognised');
  let reads = 0;
  const part = {
    ...total.breakdown[0],
    get taxAmount() {
      reads++;
      return total.amount;
    },
  };
  const breakdown = [part as VatBreakdown];
  const vatTotals = Array.from({ length: vatBounds.totals }, () => ({ ...total, breakdown }));
  checkTotals({ ...invoice, vatTotals }, new Findings());
  expect(reads).toBe(1);
});

test('the reference of a payment in CII is looked up once, however many means of payment there are', () => {
  let reads = 0;
  const element = (name: string, ...children: XmlElement[]): XmlElement => ({
    name,
    uri: '',
    attributes: {},
    children,
    text: '',
    parent: undefined,
  });
  const reference = {
    ...element(''),
    get name() {
      reads++;
      return 'PaymentReference';
    },
    text: 'R-1',
  };
  const readsWith = (means: number) => {
    const payments = Array.from({ length: means }, () =>
      element('SpecifiedTradeSettlementPaymentMeans'),
    );
    const settlement = element('ApplicableHeaderTradeSettlement', reference, ...payments);
    const root = element('', element('SupplyChainTradeTransaction', settlement));
    reads = 0;
    expect(cii.read(root, new Findings()).payments.at(-1)?.remittance).toBe('R-1');
    return reads;
  };
  expect(readsWith(1_000)).toBe(readsWith(1));
});

test('other requests run between the rules', async () => {
  const { invoice } = await readDocument(Buffer.from(ublInvoice()));
  if (!invoice) throw new Error('it was not recognised');
  let isChecked = false;
  const checked = checkRules(invoice, new Findings()).then(() => {
    isChecked = true;
  });
  await setImmediate();
  expect(isChecked).toBe(false);
  await checked;
});

describe('PDF', () => {
  test.each([
    'factur-x.xml',
    'zugferd-invoice.xml',
    'ZUGFeRD-invoice.xml',
    'xrechnung.xml',
    'any.xml',
  ])('%s is read', async (name) => {
    const document = await readDocument(await pdfWith({ [name]: ciiInvoice() }));
    expect(document).toMatchObject({ format: 'pdf', findings: [], invoice: { number: 'C-1' } });
  });

  test('what is no invoice is left aside, and the newest name comes first', async () => {
    const old = '<i:CrossIndustryDocument xmlns:i="urn:ferd:CrossIndustryDocument:invoice:1p0"/>';
    const files = {
      'a.xml': '<data/>',
      'b.xml': '<not well-formed',
      'photo.png': Buffer.from('\x89PNG', 'latin1'),
      'ZUGFeRD-invoice.xml': old,
      'factur-x.xml': ciiInvoice(),
    };
    const document = await readDocument(await pdfWith(files));
    expect(document.invoice?.number).toBe('C-1');
    const only = pdfWith({ 'ZUGFeRD-invoice.xml': old });
    await expect(readDocument(await only)).rejects.toEqual(unsupported(/ZUGFeRD 1/));
    const another = { 'factur-x.xml': '<not well-formed', 'another.xml': ciiInvoice() };
    await expect(readDocument(await pdfWith(another))).rejects.toEqual(malformed(/./));
  });

  test('one without an invoice in XML is a document for people', async () => {
    const plain = await readDocument(await pdfWith({ 'a.xml': '<data/>' }));
    expect(plain).toEqual({ format: 'pdf', invoice: undefined });
  });

  test.each([
    ['cut short', async () => (await pdfWith({ 'factur-x.xml': ciiInvoice() })).subarray(0, 30)],
    ['a header alone', async () => Buffer.from('%PDF-1.7\n')],
  ])('%s is malformed', async (_, make) => {
    await expect(readDocument(await make())).rejects.toEqual(malformed(/cannot be read/));
  });

  test('an attachment that unfolds to 300 MB ends its process, and the next document is read', async () => {
    const bomb = bombPdf(300_000_000);
    expect(bomb.length).toBeLessThan(2_000_000);
    await expect(pdfAttachments(bomb, { megabytes: 200 })).rejects.toEqual(
      malformed(/too much memory/),
    );
    const next = await readDocument(await pdfWith({ 'factur-x.xml': ciiInvoice() }));
    expect(next.invoice?.number).toBe('C-1');
  });

  test('the bytes of attachments are not made of a text, which would hold up other requests', async () => {
    const size = 1_000_000;
    const files = {
      'a.xml': Buffer.concat([Buffer.from('<a>'), Buffer.alloc(size, 'ä\n')]),
      'b.xml': Buffer.from('<b/>'),
    };
    const pdf = await pdfWith(files);
    using parse = vi.spyOn(JSON, 'parse');
    const attachments = await pdfAttachments(pdf);
    expect(attachments).toEqual(Object.entries(files).map(([name, bytes]) => ({ name, bytes })));
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(1_000);
  });

  test('more attachments than are allowed, or one that takes too long, are malformed', async () => {
    const two = await pdfWith({ 'a.xml': ciiInvoice(), 'b.xml': ciiInvoice() });
    await expect(pdfAttachments(two, { files: 1 })).rejects.toEqual(malformed(/too many/));
    await expect(pdfAttachments(two, { bytes: 1_000 })).rejects.toEqual(malformed(/too large/));
    await expect(pdfAttachments(two, { seconds: 0 })).rejects.toEqual(malformed(/too long/));
  });
});

/** A PDF whose one attachment is a run of spaces after the start of an element. */
function bombPdf(size: number): Buffer {
  const piece = deflateSync(Buffer.concat([Buffer.from('<x>'), Buffer.alloc(size, ' ')]));
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a.xml) 3 0 R] >> >> >>',
    '<< /Type /Pages /Kids [] /Count 0 >>',
    '<< /Type /Filespec /F (a.xml) /UF (a.xml) /EF << /F 4 0 R >> >>',
  ];
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  for (const [index, object] of objects.entries()) {
    parts.push(Buffer.from(`${index + 1} 0 obj\n${object}\nendobj\n`));
  }
  const head = `4 0 obj\n<< /Type /EmbeddedFile /Filter /FlateDecode /Length ${piece.length} >>\nstream\n`;
  parts.push(Buffer.from(head), piece, Buffer.from('\nendstream\nendobj\n'));
  parts.push(Buffer.from('trailer\n<< /Root 1 0 R /Size 5 >>\n%%EOF\n'));
  return Buffer.concat(parts);
}
