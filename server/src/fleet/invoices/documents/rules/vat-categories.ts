import type { Big } from 'big.js';
import type { ElectronicInvoice, VatBreakdown, VatCategory } from '../electronic-invoice.ts';
import type { Findings } from '../finding.ts';
import type { XmlElement } from '../xml-element.ts';
import { shown, sumOf, zero } from './amounts.ts';
import { rootOf } from './document.ts';
import { hasVatIdentifier } from './parties.ts';
import { isNear, taxOf } from './vat-breakdown.ts';

type Category = {
  code: string;
  /** The middle of the rules' numbers: BR-IC-05. */
  name: string;
  rate: 'positive' | 'notNegative' | 'zero' | 'none';
  exemptionReason: 'required' | 'excluded';
  /** Which identifiers of seller and buyer it asks for. */
  parties: 'seller' | 'sellerAndBuyer' | 'sellerVat' | 'sellerVatAndBuyerVat' | 'noVat';
};

const categories: readonly Category[] = [
  { code: 'S', name: 'S', rate: 'positive', exemptionReason: 'excluded', parties: 'seller' },
  { code: 'Z', name: 'Z', rate: 'zero', exemptionReason: 'excluded', parties: 'seller' },
  { code: 'E', name: 'E', rate: 'zero', exemptionReason: 'required', parties: 'seller' },
  { code: 'AE', name: 'AE', rate: 'zero', exemptionReason: 'required', parties: 'sellerAndBuyer' },
  {
    code: 'K',
    name: 'IC',
    rate: 'zero',
    exemptionReason: 'required',
    parties: 'sellerVatAndBuyerVat',
  },
  { code: 'G', name: 'G', rate: 'zero', exemptionReason: 'required', parties: 'sellerVat' },
  { code: 'O', name: 'O', rate: 'none', exemptionReason: 'required', parties: 'noVat' },
  { code: 'L', name: 'AF', rate: 'notNegative', exemptionReason: 'excluded', parties: 'seller' },
  { code: 'M', name: 'AG', rate: 'notNegative', exemptionReason: 'excluded', parties: 'seller' },
];

/** A line, an allowance or a charge with its VAT, signed as the taxable amount counts it. */
type Taxed = { at: XmlElement; kind: 0 | 1 | 2; term: string; vat: VatCategory; amount?: Big };

/** The rules of each VAT category: BR-S-01 to BR-S-10 and those of the others. */
export function checkVatCategories(invoice: ElectronicInvoice, findings: Findings): void {
  const taxed = taxedParts(invoice);
  for (const category of categories) {
    const parts = taxed.filter(({ vat }) => vat.code === category.code);
    const breakdown = invoice.vatBreakdown.filter(({ vat }) => vat.code === category.code);
    checkPresence(category, parts, breakdown, invoice, findings);
    for (const part of parts) checkRate(category, part, findings);
    const bases = taxableAmounts(category, parts);
    for (const part of breakdown) checkAmounts(category, part, bases, invoice.syntax, findings);
  }
  checkIntraCommunity(invoice, findings);
  checkNotSubject(invoice, taxed, findings);
}

function taxedParts({ lines, allowances, charges }: ElectronicInvoice): Taxed[] {
  return [
    ...lines
      .filter(({ counted }) => counted)
      .map(({ at, vat, net }): Taxed => ({ at, kind: 0, term: 'BT-152', vat, amount: net })),
    ...allowances.map(
      ({ at, vat, amount }): Taxed => ({ at, kind: 1, term: 'BT-96', vat, amount: amount?.neg() }),
    ),
    ...charges.map(({ at, vat, amount }): Taxed => ({ at, kind: 2, term: 'BT-103', vat, amount })),
  ];
}

function checkPresence(
  category: Category,
  parts: readonly Taxed[],
  breakdown: readonly VatBreakdown[],
  invoice: ElectronicInvoice,
  findings: Findings,
): void {
  const { code, name, parties } = category;
  const root = rootOf(invoice);
  const isRated = hasRates(category);
  const isUsed = parts.length > 0;
  const fits = isRated
    ? isUsed === breakdown.length > 0
    : breakdown.length === 1 || (!isUsed && breakdown.length === 0);
  if (!fits) {
    const message = `The category ${code} of lines, allowances and charges needs its own part of the VAT breakdown.`;
    const expected = isUsed ? (isRated ? 'at least 1' : '1') : '0';
    findings.add(`BR-${name}-01`, 'BT-118', root, message, {
      found: String(breakdown.length),
      expected,
    });
  }
  for (const kind of [0, 1, 2] as const) {
    if (!parts.some((part) => part.kind === kind) || satisfies(parties, invoice)) continue;
    const message = `The category ${code} needs ${partyText[parties]}.`;
    findings.add(`BR-${name}-0${kind + 2}`, 'BT-31', root, message);
  }
}

const partyText: Record<Category['parties'], string> = {
  seller:
    'a VAT identifier or tax registration of the seller, or the VAT identifier of its representative',
  sellerAndBuyer:
    'a tax identifier of the seller, and a VAT identifier or legal registration of the buyer',
  sellerVat: 'the VAT identifier of the seller or of its tax representative',
  sellerVatAndBuyerVat:
    'the VAT identifiers of the seller, or its tax representative, and of the buyer',
  noVat: 'that neither seller, buyer nor tax representative have a VAT identifier',
};

function satisfies(parties: Category['parties'], invoice: ElectronicInvoice): boolean {
  const { seller, buyer, taxRepresentative } = invoice;
  const sellerVat =
    hasVatIdentifier(seller) || (!!taxRepresentative && hasVatIdentifier(taxRepresentative));
  const isRegistered = sellerVat || seller.taxRegistration !== undefined;
  if (parties === 'seller') return isRegistered;
  if (parties === 'sellerVat') return sellerVat;
  if (parties === 'noVat') return !sellerVat && !hasVatIdentifier(buyer);
  if (parties === 'sellerVatAndBuyerVat') return sellerVat && hasVatIdentifier(buyer);
  return isRegistered && (hasVatIdentifier(buyer) || buyer.legalRegistration !== undefined);
}

function checkRate({ code, name, rate }: Category, part: Taxed, findings: Findings): void {
  const value = part.vat.rate;
  const fits = {
    positive: value?.gt(0),
    notNegative: value?.gte(0),
    zero: value?.eq(0),
    none: value === undefined,
  }[rate];
  if (fits) return;
  const expected = { positive: 'above 0', notNegative: '0 or above', zero: '0', none: 'none' }[
    rate
  ];
  const message = `The VAT rate does not fit the category ${code}.`;
  const values = { found: shown(value) ?? 'none', expected };
  findings.add(`BR-${name}-0${part.kind + 5}`, part.term, part.at, message, values);
}

function hasRates({ rate }: Category): boolean {
  return rate === 'positive' || rate === 'notNegative';
}

/** What a part of the VAT breakdown counts: all of the category, and of one with rates those of its rate. */
function rateKey(category: Category, { rate }: VatCategory): string | undefined {
  return hasRates(category) ? rate?.toString() : '';
}

function taxableAmounts(category: Category, parts: readonly Taxed[]): Map<string | undefined, Big> {
  const byRate = Map.groupBy(parts, ({ vat }) => rateKey(category, vat));
  byRate.delete(undefined);
  return new Map(
    byRate.entries().map(([key, some]) => [key, sumOf(some.map(({ amount }) => amount))]),
  );
}

function checkAmounts(
  category: Category,
  part: VatBreakdown,
  bases: ReadonlyMap<string | undefined, Big>,
  syntax: ElectronicInvoice['syntax'],
  findings: Findings,
): void {
  const { name, exemptionReason } = category;
  const isRated = hasRates(category);
  const base = bases.get(rateKey(category, part.vat)) ?? zero;
  const { taxableAmount, taxAmount } = part;
  if (taxableAmount && !(isRated ? isNear(taxableAmount, base, syntax) : taxableAmount.eq(base))) {
    const message =
      'The taxable amount is not that of the lines, allowances and charges of its category.';
    const values = { found: shown(taxableAmount), expected: shown(base) };
    findings.add(`BR-${name}-08`, 'BT-116', part.at, message, values);
  }
  const tax = taxOf(part);
  if (taxAmount && !(isRated ? isNear(taxAmount.abs(), tax.abs(), syntax) : taxAmount.eq(0))) {
    const message = 'The tax amount does not fit the category and its rate.';
    const values = { found: shown(taxAmount), expected: isRated ? shown(tax) : '0' };
    findings.add(`BR-${name}-09`, 'BT-117', part.at, message, values);
  }
  const reason = part.exemptionReason ?? part.exemptionReasonCode;
  if ((reason !== undefined) === (exemptionReason === 'required')) return;
  const message = `A VAT exemption reason (BT-120 or BT-121) is ${exemptionReason} here.`;
  findings.add(`BR-${name}-10`, 'BT-120', part.at, message, { found: reason ?? 'none' });
}

/** What an intra-community supply also needs: a date or period of delivery, and its country. */
function checkIntraCommunity(invoice: ElectronicInvoice, findings: Findings): void {
  if (!invoice.vatBreakdown.some(({ vat }) => vat.code === 'K')) return;
  const { delivery, period } = invoice;
  const root = rootOf(invoice);
  if (delivery.date === undefined && (!period || period.at.children.length === 0)) {
    const message =
      'An intra-community supply needs a delivery date or an invoicing period (BG-14).';
    findings.add('BR-IC-11', 'BT-72', root, message);
  }
  if (!delivery.addresses.some(({ country }) => country !== undefined)) {
    const message = 'An intra-community supply needs the country of delivery.';
    findings.add('BR-IC-12', 'BT-80', root, message);
  }
}

/** What is not subject to VAT stands alone in an invoice. */
function checkNotSubject(
  invoice: ElectronicInvoice,
  taxed: readonly Taxed[],
  findings: Findings,
): void {
  if (!invoice.vatBreakdown.some(({ vat }) => vat.code === 'O')) return;
  const message = 'An invoice that is not subject to VAT (category O) has no other VAT category.';
  const other = invoice.vatBreakdown.find(({ vat }) => vat.code !== undefined && vat.code !== 'O');
  if (other) findings.add('BR-O-11', 'BT-118', other.at, message, { found: other.vat.code });
  for (const kind of [0, 1, 2] as const) {
    const part = taxed.find(
      ({ vat, kind: own }) => own === kind && vat.code !== undefined && vat.code !== 'O',
    );
    if (!part) continue;
    findings.add(`BR-O-${kind + 12}`, part.term, part.at, message, { found: part.vat.code });
  }
}
