import { describe, expect, test } from 'vitest';
import { ciiInvoice, ublCreditNote, ublInvoice } from '../../../testing/electronic-invoices.ts';
import { readXmlInvoice } from './read-xml-invoice.ts';

const read = (text: string) => readXmlInvoice(Buffer.from(text));

async function findingsOf(text: string): Promise<string[]> {
  return (await read(text)).findings.map(({ rule }) => rule);
}

test('an invoice of UBL is read in the terms of EN 16931', async () => {
  const { invoice, findings } = await read(ublInvoice());
  expect(findings).toEqual([]);
  expect(invoice).toMatchObject({
    syntax: 'UBL',
    number: 'R-1',
    issueDate: '2026-10-30',
    dueDate: '2026-11-13',
    typeCode: '380',
    isCreditNote: false,
    currency: 'EUR',
    notes: ['Thank you & drive safely'],
    references: { buyer: '04011000-12345-03', purchaseOrder: '4500012345' },
    seller: {
      name: 'Werkstatt Mitte GmbH',
      legalRegistration: 'HRB 12345',
      vatIdentifiers: [{ value: 'DE123456788' }],
      address: { lines: ['Werkstraße 3'], city: 'Hamburg', postalCode: '20457', country: 'DE' },
    },
    buyer: { name: 'Fleet GmbH' },
    delivery: { date: '2026-10-28' },
    supportingDocuments: [{ reference: 'report', filename: 'report.pdf' }],
  });
  expect(invoice.totals.due?.toFixed(2)).toBe('169.93');
  expect(invoice.lines.map(({ net }) => net?.toFixed(2))).toEqual(['47.80', '100.00']);
});

test('an invoice of CII is read in the same terms', async () => {
  const { invoice, findings } = await read(ciiInvoice());
  expect(findings).toEqual([]);
  expect(invoice).toMatchObject({
    syntax: 'CII',
    number: 'C-1',
    issueDate: '2026-10-31',
    dueDate: '2026-11-14',
    seller: { name: 'Ladenetz AG', vatIdentifiers: [{ value: 'DE811907980', scheme: 'VA' }] },
    delivery: { date: '2026-10-30' },
  });
  expect(invoice.lines[0]).toMatchObject({ unit: 'KWH', itemName: 'Charging' });
  expect(invoice.lines[0]?.quantity?.toFixed()).toBe('41.27');
  expect(invoice.lines[0]?.netPrice?.toFixed()).toBe('0.4315');
});

test('a credit note is one by its root in UBL, and by its type in CII', async () => {
  const ubl = await read(ublCreditNote());
  expect(ubl.findings).toEqual([]);
  expect(ubl.invoice.isCreditNote).toBe(true);
  expect(ubl.invoice.lines).toHaveLength(2);
  const cii = await read(ciiInvoice().replace('>380<', '>381<'));
  expect([cii.findings, cii.invoice.isCreditNote]).toEqual([[], true]);
});

test('a type that credits is a credit note also in an invoice of UBL that may have it', async () => {
  const { invoice, findings } = await read(ublInvoice().replace('>380<', '>81<'));
  expect([findings, invoice.isCreditNote]).toEqual([[], true]);
});

test.each([
  ['Invoice', ublInvoice().replace('>380<', '>381<'), '381'],
  ['Invoice', ublInvoice().replace('>380<', '>999<'), '999'],
  ['CreditNote', ublCreditNote().replace('>381<', '>380<'), '380'],
  ['CrossIndustryInvoice', ciiInvoice().replace('>380<', '>999<'), '999'],
])('a document of the root %s cannot have a type of another, or none', async (root, xml, found) => {
  const { findings } = await read(xml);
  expect(findings).toMatchObject([
    { rule: 'BR-CL-01', term: 'BT-3', path: `/${root}`, found, severity: 'error' },
  ]);
});

test('prefixes and elements of other namespaces make no difference', async () => {
  const renamed = ublInvoice()
    .replaceAll('cbc:', 'x:')
    .replace('xmlns:cbc', 'xmlns:x')
    .replace('<x:ID>R-1', '<o:ID xmlns:o="urn:other">other<x:ID>other</x:ID></o:ID><x:ID>R-1');
  const { invoice, findings } = await read(renamed);
  expect([findings, invoice.number]).toEqual([[], 'R-1']);
});

/** Removes the first element of the name after a place in the document. */
function without(name: string, after = ''): (xml: string) => string {
  const pattern = new RegExp(`<${name}[ >](?:(?!</${name}>)[^])*</${name}>`);
  return (xml) => {
    const start = xml.indexOf(after);
    return xml.slice(0, start) + xml.slice(start).replace(pattern, '');
  };
}
const swap = (from: string, to: string) => (xml: string) => xml.replace(from, to);
const add = (before: string, xml: string) => swap(before, `${xml}${before}`);
const seller = '<cac:AccountingSupplierParty>';
const buyer = '<cac:AccountingCustomerParty>';
const representative = '<cac:TaxRepresentativeParty>';
const totals = '<cac:LegalMonetaryTotal>';
const line = '<cac:InvoiceLine>';
const subtotal = '<cac:TaxSubtotal>';
const charge = '<cbc:ChargeIndicator>true';
const country = 'cac:Country';

const ublCases: [rule: string, change: (xml: string) => string][] = [
  ['BR-01', without('cbc:CustomizationID')],
  ['BR-02', without('cbc:ID')],
  ['BR-03', without('cbc:IssueDate')],
  ['BR-04', without('cbc:InvoiceTypeCode')],
  ['BR-05', without('cbc:DocumentCurrencyCode')],
  ['BR-06', without('cbc:RegistrationName', seller)],
  ['BR-07', without('cbc:RegistrationName', buyer)],
  ['BR-08', without('cac:PostalAddress', seller)],
  ['BR-09', without(country, seller)],
  ['BR-10', without('cac:PostalAddress', buyer)],
  ['BR-11', without(country, buyer)],
  ['BR-12', without('cbc:LineExtensionAmount', totals)],
  ['BR-13', without('cbc:TaxExclusiveAmount')],
  ['BR-14', without('cbc:TaxInclusiveAmount')],
  ['BR-15', without('cbc:PayableAmount')],
  ['BR-16', (xml) => without('cac:InvoiceLine')(without('cac:InvoiceLine')(xml))],
  ['BR-17', without('cac:PartyName', '<cac:PayeeParty>')],
  ['BR-18', without('cac:PartyName', representative)],
  ['BR-19', without('cac:PostalAddress', representative)],
  ['BR-20', without(country, representative)],
  ['BR-21', without('cbc:ID', line)],
  ['BR-22', without('cbc:InvoicedQuantity')],
  ['BR-23', swap(' unitCode="LTR"', '')],
  ['BR-24', without('cbc:LineExtensionAmount', line)],
  ['BR-25', without('cbc:Name', '<cac:Item>')],
  ['BR-26', without('cbc:PriceAmount')],
  ['BR-27', swap('>11</cbc:PriceAmount>', '>-11</cbc:PriceAmount>')],
  ['BR-28', swap('>12</cbc:BaseAmount>', '>-12</cbc:BaseAmount>')],
  ['BR-29', swap('<cbc:EndDate>2026-10-31', '<cbc:EndDate>2026-09-30')],
  ['BR-30', swap('<cbc:EndDate>2026-10-02', '<cbc:EndDate>2026-09-30')],
  ['BR-31', without('cbc:Amount')],
  ['BR-32', without('cac:TaxCategory')],
  ['BR-33', without('cbc:AllowanceChargeReason')],
  ['BR-CO-21', without('cbc:AllowanceChargeReason')],
  ['BR-36', without('cbc:Amount', charge)],
  ['BR-37', without('cac:TaxCategory', charge)],
  ['BR-38', without('cbc:AllowanceChargeReasonCode')],
  ['BR-CO-22', without('cbc:AllowanceChargeReasonCode')],
  ['BR-41', without('cbc:Amount', line)],
  ['BR-42', without('cbc:AllowanceChargeReason', line)],
  ['BR-CO-23', without('cbc:AllowanceChargeReason', line)],
  ['BR-43', without('cbc:Amount', '<cbc:AllowanceChargeReason>Disposal')],
  ['BR-44', swap('<cbc:AllowanceChargeReason>Disposal</cbc:AllowanceChargeReason>', '')],
  ['BR-CO-24', swap('<cbc:AllowanceChargeReason>Disposal</cbc:AllowanceChargeReason>', '')],
  ['BR-45', without('cbc:TaxableAmount')],
  ['BR-46', without('cbc:TaxAmount', subtotal)],
  ['BR-47', without('cbc:ID', subtotal)],
  ['BR-48', without('cbc:Percent', subtotal)],
  ['BR-49', without('cbc:PaymentMeansCode')],
  ['BR-50', without('cbc:ID', '<cac:PayeeFinancialAccount>')],
  ['BR-52', without('cbc:ID', '<cac:AdditionalDocumentReference>')],
  ['BR-53', add('<cbc:BuyerReference>', '<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode>')],
  ['BR-54', without('cbc:Value')],
  ['BR-55', without('cbc:ID', '<cac:BillingReference>')],
  ['BR-56', without('cac:PartyTaxScheme', representative)],
  ['BR-57', without(country, '<cac:Delivery>')],
  ['BR-61', without('cac:PayeeFinancialAccount')],
  ['BR-62', swap(' schemeID="EM">rechnung', '>rechnung')],
  ['BR-63', swap(' schemeID="EM">eingang', '>eingang')],
  ['BR-64', swap(' schemeID="0160"', '')],
  ['BR-65', swap(' listID="STI"', '')],
  [
    'BR-CO-03',
    (xml) =>
      xml
        .replace('<cbc:Note>Th', '<cbc:TaxPointDate>2026-10-30</cbc:TaxPointDate><cbc:Note>Th')
        .replace('<cbc:EndDate>', '<cbc:DescriptionCode>35</cbc:DescriptionCode><cbc:EndDate>'),
  ],
  ['BR-CO-04', without('cac:ClassifiedTaxCategory')],
  ['BR-CO-09', swap('>DE123456788<', '>123456788<')],
  ['BR-CO-10', swap('>147.80<', '>147.81<')],
  [
    'BR-CO-11',
    swap('<cbc:AllowanceTotalAmount currencyID="EUR">10.00', '<cbc:AllowanceTotalAmount>9'),
  ],
  ['BR-CO-12', swap('<cbc:ChargeTotalAmount currencyID="EUR">5.00', '<cbc:ChargeTotalAmount>6')],
  [
    'BR-CO-13',
    swap('<cbc:TaxExclusiveAmount currencyID="EUR">142.80', '<cbc:TaxExclusiveAmount>142.81'),
  ],
  [
    'BR-CO-14',
    swap('<cbc:TaxAmount currencyID="EUR">27.13', '<cbc:TaxAmount currencyID="EUR">27.14'),
  ],
  [
    'BR-CO-15',
    swap('<cbc:TaxInclusiveAmount currencyID="EUR">169.93', '<cbc:TaxInclusiveAmount>170'),
  ],
  ['BR-CO-16', swap('<cbc:PayableAmount currencyID="EUR">169.93', '<cbc:PayableAmount>169.92')],
  ['BR-CO-17', (xml) => xml.replaceAll('>27.13<', '>29.13<')],
  ['BR-CO-18', without('cac:TaxSubtotal')],
  ['BR-CO-19', (xml) => without('cbc:EndDate')(without('cbc:StartDate')(xml))],
  ['BR-CO-20', (xml) => without('cbc:EndDate', line)(without('cbc:StartDate', line)(xml))],
  ['BR-CO-25', without('cbc:DueDate')],
  [
    'BR-CO-26',
    (xml) => without('cbc:CompanyID', '>Werkstatt')(without('cac:PartyTaxScheme', seller)(xml)),
  ],
  ['BR-S-01', without('cac:TaxCategory', subtotal)],
  ['BR-S-08', swap('<cbc:TaxableAmount currencyID="EUR">142.80', '<cbc:TaxableAmount>150')],
  ['BR-Z-05', (xml) => xml.replaceAll('<cbc:ID>S</cbc:ID>', '<cbc:ID>Z</cbc:ID>')],
  ['BR-DEC-23', swap('>100.00</cbc:LineExtensionAmount>', '>100.001</cbc:LineExtensionAmount>')],
];

describe('rules in UBL', () => {
  test.each(ublCases)('%s is found where it is broken', async (rule, change) => {
    const changed = change(ublInvoice());
    expect(changed).not.toBe(ublInvoice());
    expect(await findingsOf(changed)).toContain(rule);
  });
});

const ciiTotals = '<ram:SpecifiedTradeSettlementHeaderMonetarySummation>';
const ciiCases: [rule: string, change: (xml: string) => string][] = [
  ['BR-01', without('ram:ID')],
  ['BR-02', without('ram:ID', '<rsm:ExchangedDocument>')],
  ['BR-03', without('ram:IssueDateTime')],
  ['BR-04', without('ram:TypeCode', '<rsm:ExchangedDocument>')],
  ['BR-05', without('ram:InvoiceCurrencyCode')],
  ['BR-06', without('ram:Name', '<ram:SellerTradeParty>')],
  ['BR-07', without('ram:Name', '<ram:BuyerTradeParty>')],
  ['BR-09', without('ram:CountryID')],
  ['BR-11', without('ram:CountryID', '<ram:BuyerTradeParty>')],
  ['BR-12', without('ram:LineTotalAmount', ciiTotals)],
  ['BR-16', without('ram:IncludedSupplyChainTradeLineItem')],
  ['BR-22', without('ram:BilledQuantity')],
  ['BR-26', without('ram:ChargeAmount')],
  ['BR-45', without('ram:BasisAmount')],
  ['BR-CO-04', without('ram:ApplicableTradeTax')],
  [
    'BR-CO-10',
    swap(`${ciiTotals}<ram:LineTotalAmount>17.81`, `${ciiTotals}<ram:LineTotalAmount>18`),
  ],
  ['BR-CO-14', swap('"EUR">3.38', '"EUR">3.39')],
  ['BR-CO-15', swap('<ram:GrandTotalAmount>21.19', '<ram:GrandTotalAmount>21.20')],
  ['BR-CO-16', swap('<ram:DuePayableAmount>21.19', '<ram:DuePayableAmount>1')],
  ['BR-CO-17', swap('<ram:CalculatedAmount>3.38', '<ram:CalculatedAmount>5.38')],
  ['BR-CO-25', without('ram:SpecifiedTradePaymentTerms')],
  ['BR-CO-26', without('ram:SpecifiedTaxRegistration')],
];

describe('rules in CII', () => {
  test.each(ciiCases)('%s is found where it is broken', async (rule, change) => {
    expect(await findingsOf(change(ciiInvoice()))).toContain(rule);
  });
});

test('a finding names the rule, the term, the place, and the values found and expected', async () => {
  const { findings } = await read(ublInvoice().replace('>147.80<', '>147.81<'));
  expect(findings[0]).toEqual({
    rule: 'BR-CO-10',
    term: 'BT-106',
    path: '/Invoice/LegalMonetaryTotal',
    message: expect.any(String),
    found: '147.81',
    expected: '147.8',
    severity: 'error',
  });
});

const card =
  '<cac:CardAccount><cbc:PrimaryAccountNumberID>4111111111111111</cbc:PrimaryAccountNumberID></cac:CardAccount>';

test('the full number of a card is a warning', async () => {
  const { findings } = await read(ublInvoice().replace('<cac:PayeeFinancialAccount>', `${card}$&`));
  expect(findings).toMatchObject([{ rule: 'BR-51', severity: 'warning' }]);
});

test('no number of warnings hides an error', async () => {
  const many = ublInvoice().replace('<cac:PayeeFinancialAccount>', `${card.repeat(150)}$&`);
  const { findings } = await read(many.replace('>147.80<', '>147.81<'));
  expect(findings.filter(({ severity }) => severity === 'warning')).toHaveLength(100);
  expect(findings.filter(({ severity }) => severity === 'error')).not.toEqual([]);
});

test.each([
  ['BT-2', '>2026-10-30<', '>30.10.2026<'],
  ['BT-2', '>2026-10-30<', '>2026-02-30<'],
  ['BT-115', '<cbc:PayableAmount currencyID="EUR">169.93', '<cbc:PayableAmount>169,93'],
  ['BT-115', '<cbc:PayableAmount currencyID="EUR">169.93', '<cbc:PayableAmount>1e2'],
  ['BT-129', '>4.5<', `>${'9'.repeat(31)}<`],
])('%s that is not of its type is told once', async (term, from, to) => {
  const { findings } = await read(ublInvoice().replace(from, to));
  expect(findings.filter((finding) => finding.term === term)).toMatchObject([{ rule: 'FORMAT' }]);
});

test('sums are exact, and rounded half up', async () => {
  const lines = (xml: string) =>
    xml
      .replace('>47.80<', '>47.805<')
      .replace('>147.80<', '>147.81<')
      .replaceAll('>142.80<', '>142.81<');
  const rules = await findingsOf(lines(ublInvoice()));
  expect(rules).not.toContain('BR-CO-10');
});

test('an amount in another currency is told, but for the VAT total in that of the accounting', async () => {
  const { findings } = await read(ublInvoice().replace('"EUR">100.00', '"USD">100.00'));
  expect(findings).toMatchObject([{ rule: 'FORMAT', term: 'BT-5', found: 'USD', expected: 'EUR' }]);
  const accounted = ublInvoice()
    .replace('<cbc:BuyerReference>', '<cbc:TaxCurrencyCode>SEK</cbc:TaxCurrencyCode>$&')
    .replace(
      '<cac:LegalMonetaryTotal>',
      '<cac:TaxTotal><cbc:TaxAmount currencyID="SEK">301.20</cbc:TaxAmount></cac:TaxTotal>$&',
    );
  expect((await read(accounted)).findings).toEqual([]);
});

test('lines that group or explain others in the profile EXTENDED are not counted, and need no price', async () => {
  const start = '<ram:IncludedSupplyChainTradeLineItem>';
  const group = `${start}<ram:AssociatedDocumentLineDocument><ram:LineID>0</ram:LineID><ram:LineStatusReasonCode>GROUP</ram:LineStatusReasonCode></ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>October</ram:Name></ram:SpecifiedTradeProduct></ram:IncludedSupplyChainTradeLineItem>`;
  const { invoice, findings } = await read(ciiInvoice().replace(start, group + start));
  expect(findings).toEqual([]);
  expect(invoice.lines.map(({ counted }) => counted)).toEqual([false, true]);
});
