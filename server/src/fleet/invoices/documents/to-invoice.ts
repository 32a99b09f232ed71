import type { Big } from 'big.js';
import { isCurrency } from '../../cost.ts';
import { isCountry } from '../../country.ts';
import { linesTooLarge } from '../calculation/line-costs.ts';
import { minorUnitDigits, toMinorUnits } from '../calculation/money.ts';
import { maxVatParts, type NewInvoice, type Supplier } from '../invoice.ts';
import { type InvoiceLine, vatCategories } from '../invoice-line.ts';
import { yieldBetweenLines } from '../yield-between-lines.ts';
import { clipped } from './clipped.ts';
import type {
  AllowanceCharge,
  ElectronicInvoice,
  InvoiceLine as ElectronicLine,
  Party,
  Period,
} from './electronic-invoice.ts';
import { Findings } from './finding.ts';
import { fitDescriptions, maxInvoiceBytes } from './fit-descriptions.ts';
import { kindOfLine } from './line-kind.ts';
import { rootOf } from './rules/document.ts';
import type { XmlElement } from './xml-element.ts';

const maxLines = 2_000;
const maxAllowances = 100;

/** A valid electronic invoice as one to store, and what cannot be stored of it. */
export async function toInvoice(
  source: ElectronicInvoice,
): Promise<{ invoice: NewInvoice; findings: Findings }> {
  const findings = new Findings();
  const root = rootOf(source);
  const currency = source.currency ?? '';
  if (!isCurrency(currency)) {
    findings.add('BR-CL-04', 'BT-5', root, 'The currency is none of ISO 4217.', {
      found: currency,
    });
  }
  const convert = converter(currency, findings);
  const counted = source.lines.filter((line) => line.counted);
  if (counted.length > maxLines) {
    const values = { found: String(counted.length), expected: `at most ${maxLines}` };
    findings.add('LIMIT', 'BG-25', root, 'There are too many lines.', values);
  }
  if ((source.number?.length ?? 0) > 200) {
    findings.add('LIMIT', 'BT-1', root, 'The invoice number is too long.');
  }
  const { totals, period, delivery, references, notes } = source;
  const [vatTotal] = source.vatTotals.filter((total) => total.currency === currency);
  const minor = (amount: Big | undefined, term: string) => convert.minor(amount, term, totals.at);
  const vatParts = source.vatBreakdown.filter(
    ({ at }) => !vatTotal || at.parent === vatTotal.at || source.syntax === 'CII',
  );
  if (vatParts.length > maxVatParts) {
    const values = { found: String(vatParts.length), expected: `at most ${maxVatParts}` };
    findings.add('LIMIT', 'BG-23', totals.at, 'The VAT breakdown has too many parts.', values);
  }
  const yieldAfter = yieldBetweenLines();
  const lines: InvoiceLine[] = [];
  for (const line of counted.slice(0, maxLines)) {
    lines.push(lineOf(line, convert, findings));
    await yieldAfter(line);
  }
  const invoice: NewInvoice = {
    type: source.isCreditNote ? 'credit_note' : 'invoice',
    status: 'open',
    ...present({
      number: source.number,
      supplier: supplierOf(source.seller),
      customerReference: clipped(references.buyer, 500),
      orderReference: clipped(references.purchaseOrder, 500),
      issueDate: source.issueDate,
      dueDate: source.dueDate,
      serviceDate: delivery.date,
      servicePeriod: periodOf(period),
      note: clipped(notes.join('\n'), 10_000),
      allowances: convert.documentAllowances(source.allowances, 'BT-92'),
      charges: convert.documentAllowances(source.charges, 'BT-99'),
    }),
    currency,
    lines,
    vatBreakdown: vatParts.slice(0, maxVatParts).map((part) => ({
      ...convert.vat(part.vat, part.at, 'BT-118'),
      taxableAmount: convert.minor(part.taxableAmount, 'BT-116', part.at),
      taxAmount: convert.minor(part.taxAmount, 'BT-117', part.at),
      ...present({
        exemptionReason: clipped(part.exemptionReason, 1_000),
        exemptionReasonCode: clipped(part.exemptionReasonCode, 50),
      }),
    })),
    totals: {
      lineNetAmount: minor(totals.lineNet, 'BT-106'),
      allowanceAmount: minor(totals.allowances, 'BT-107'),
      chargeAmount: minor(totals.charges, 'BT-108'),
      taxExclusiveAmount: minor(totals.withoutVat, 'BT-109'),
      taxAmount: minor(vatTotal?.amount, 'BT-110'),
      taxInclusiveAmount: minor(totals.withVat, 'BT-112'),
      prepaidAmount: minor(totals.paid, 'BT-113'),
      roundingAmount: minor(totals.rounding, 'BT-114'),
      payableAmount: minor(totals.due, 'BT-115'),
    },
  };
  if (findings.list.length === 0)
    for (const index of linesTooLarge(invoice)) {
      const message = 'The line with its VAT is too large to be calculated with.';
      findings.add('LIMIT', 'BT-131', counted[index]?.at ?? root, message);
    }
  const fitting = await fitDescriptions(invoice);
  if (!fitting) {
    const message = `The invoice without the descriptions of its lines has more than ${maxInvoiceBytes} bytes as JSON.`;
    findings.add('LIMIT', 'BG-25', root, message);
  }
  return { invoice: fitting ?? invoice, findings };
}

function supplierOf(seller: Party): Supplier {
  const { address } = seller;
  const [street, ...more] = address?.lines ?? [];
  return {
    name: clipped(seller.name, 500) ?? '',
    ...present({
      vatId: clipped(seller.vatIdentifiers[0]?.value, 50),
      taxNumber: clipped(seller.taxRegistration, 50),
      registration: clipped(seller.legalRegistration, 100),
      address:
        address &&
        present({
          street: clipped(street, 200),
          addition: clipped(more.join(', '), 200),
          postalCode: clipped(address.postalCode, 20),
          city: clipped(address.city, 200),
          countryCode: isCountry(address.country ?? '') ? address.country : undefined,
        }),
    }),
  };
}

function lineOf(line: ElectronicLine, convert: Converter, findings: Findings): InvoiceLine {
  const { at, itemName = '', itemDescription, notes } = line;
  const unit = line.unit ?? '';
  if (!/^[A-Z0-9]{1,3}$/.test(unit)) {
    const message = 'The unit is no code of UN/ECE Recommendation 20 or 21.';
    findings.add('BR-CL-23', 'BT-130', at, message, { found: unit });
  }
  const text = [itemDescription, ...notes].filter((part) => part !== undefined).join('\n');
  const description = clipped(text, 10_000);
  return {
    lineNumber: clipped(line.id, 50) ?? '',
    text: clipped(itemName, 1_000) ?? '',
    kind: kindOfLine(`${clipped(itemName, 1_000)} ${clipped(text, 1_000)}`, unit),
    quantity: convert.decimal(line.quantity, 'BT-129', at),
    unit,
    unitPrice: convert.decimal(line.netPrice, 'BT-146', at),
    priceBaseQuantity: line.priceBase?.gt(0) ? convert.decimal(line.priceBase, 'BT-149', at) : '1',
    netAmount: convert.minor(line.net, 'BT-131', at),
    ...convert.vat(line.vat, at, 'BT-151'),
    ...present({
      description,
      servicePeriod: periodOf(line.period),
      allowances: convert.allowances(line.allowances, 'BT-136'),
      charges: convert.allowances(line.charges, 'BT-141'),
    }),
  };
}

type Converter = ReturnType<typeof converter>;

/** Exact values in the forms that are stored; what has none is found. */
function converter(currency: string, findings: Findings) {
  const minor = (amount: Big | undefined, term: string, at: XmlElement): number => {
    if (!amount) return 0;
    const value = toMinorUnits(amount, currency);
    const digits = minorUnitDigits(currency);
    if (!amount.eq(amount.round(digits)) || !Number.isSafeInteger(value)) {
      const message = `The amount cannot be kept in the minor unit of ${currency}.`;
      findings.add('LIMIT', term, at, message, { found: amount.toFixed() });
      return 0;
    }
    return value;
  };
  const decimal = (value: Big | undefined, term: string, at: XmlElement): string => {
    const text = value?.toFixed() ?? '0';
    if (/^-?\d{1,12}(\.\d{1,10})?$/.test(text)) return text;
    const message = 'The number has more than 12 digits before, or 10 after the point.';
    findings.add('LIMIT', term, at, message, { found: text });
    return '0';
  };
  const vat = ({ code, rate }: ElectronicLine['vat'], at: XmlElement, term: string) => {
    const vatCategory = vatCategories.find((known) => known === code);
    if (!vatCategory) {
      const message = 'The VAT category is not one that invoices are kept with.';
      findings.add('BR-CL-18', term, at, message, { found: code });
    }
    return {
      vatCategory: vatCategory ?? 'S',
      ...(rate && vatCategory !== 'O' && { vatRate: decimal(rate, term, at) }),
    };
  };
  const limited = (list: readonly AllowanceCharge[], term: string) => {
    const [first] = list;
    if (first && list.length > maxAllowances) {
      const values = { found: String(list.length), expected: `at most ${maxAllowances}` };
      findings.add('LIMIT', term, first.at, 'There are too many allowances or charges.', values);
    }
    return list.slice(0, maxAllowances);
  };
  const allowance = (
    { at, amount, baseAmount, reason, reasonCode }: AllowanceCharge,
    term: string,
  ) => ({
    amount: minor(amount, term, at),
    ...present({
      baseAmount: baseAmount && minor(baseAmount, term, at),
      reason: clipped(reason, 1_000),
      reasonCode: clipped(reasonCode, 10),
    }),
  });
  const unlessEmpty = <Item>(items: Item[]) => (items.length > 0 ? items : undefined);
  return {
    minor,
    decimal,
    vat,
    allowances: (list: readonly AllowanceCharge[], term: string) =>
      unlessEmpty(limited(list, term).map((one) => allowance(one, term))),
    documentAllowances: (list: readonly AllowanceCharge[], term: string) =>
      unlessEmpty(
        limited(list, term).map((one) => ({
          ...allowance(one, term),
          ...vat(one.vat, one.at, term),
        })),
      ),
  };
}

function periodOf(period: Period | undefined): { from?: string; to?: string } | undefined {
  if (period?.start === undefined && period?.end === undefined) return undefined;
  return present({ from: period.start, to: period.end });
}

type Present<Values> = { [Name in keyof Values]?: NonNullable<Values[Name]> };

function present<Values extends object>(values: Values): Present<Values> {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as Present<Values>;
}
