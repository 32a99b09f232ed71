import type {
  Invoice,
  InvoiceLine,
  InvoiceLineRequest,
  InvoiceOcr,
  InvoiceRequest,
} from '@motorpool/client';
import { majorOf, minorOf } from '../../formats/currency.ts';
import type { Money } from '../../forms/money-input.tsx';

/** What a receipt needs to become an invoice. */
export type Draft = {
  type: Invoice['type'];
  number: string;
  supplierName: string;
  supplierVatId: string;
  issueDate: string;
  dueDate: string;
  text: string;
  net: Money;
  vatRate: number | '';
  kind: InvoiceLine['kind'];
  vehicleId: string | undefined;
};

const usualVatRate = 19;

/** The currency of the amounts that were recognised. */
export const recognisedCurrency = (
  invoice: Invoice,
  suggestions: InvoiceOcr['suggestions'],
): string => suggestions.find(({ field }) => field === 'currency')?.value ?? invoice.currency;

/** What the invoice says, else what was recognised. */
export function draftOf(invoice: Invoice, suggestions: InvoiceOcr['suggestions']): Draft {
  const found = (field: InvoiceOcr['suggestions'][number]['field']) =>
    suggestions.find((one) => one.field === field)?.value;
  // The amounts of its lines are in its own.
  const currency = (invoice.lines.length === 0 && found('currency')) || invoice.currency;
  const amount = (field: InvoiceOcr['suggestions'][number]['field']) => {
    const value = found(field);
    return value === undefined ? undefined : Number(value);
  };
  const { net, vatRate } = amountsOf(
    amount('taxExclusiveAmount'),
    amount('taxAmount'),
    amount('payableAmount'),
  );
  return {
    type: invoice.type,
    number: invoice.number ?? found('number') ?? '',
    supplierName: invoice.supplier?.name ?? found('supplierName') ?? '',
    supplierVatId: invoice.supplier?.vatId ?? found('supplierVatId') ?? '',
    issueDate: invoice.issueDate ?? found('issueDate') ?? '',
    dueDate: invoice.dueDate ?? found('dueDate') ?? '',
    text: '',
    net: { amount: net > 0 ? majorOf(net, currency) : '', currency },
    vatRate,
    kind: 'other',
    vehicleId: found('vehicleId'),
  };
}

const highestVatRate = 30;

/** The net amount and the rate of what a receipt tells of its amounts. Of a total alone, the net amount is in it. */
function amountsOf(
  net: number | undefined,
  tax: number | undefined,
  gross = 0,
): { net: number; vatRate: number } {
  if (net === undefined && tax === undefined)
    return { net: Math.round(gross / (1 + usualVatRate / 100)), vatRate: usualVatRate };
  const taxable = net ?? gross - (tax ?? 0);
  const taxed = tax ?? gross - taxable;
  const vatRate = taxable > 0 && taxed >= 0 ? vatRateOf(taxable, taxed) : usualVatRate;
  // Beyond what any country has, an amount was misread.
  return { net: taxable, vatRate: vatRate > highestVatRate ? usualVatRate : vatRate };
}

/** What is to be paid by a new line, in the minor unit, as the service calculates it. Undefined without an amount, a rate and the whole code of its currency. */
export function payableOf({ totals }: Invoice, { net, vatRate }: Draft): number | undefined {
  if (net.amount === '' || vatRate === '' || !/^[A-Z]{3}$/.test(net.currency)) return undefined;
  const minor = minorOf(net.amount, net.currency);
  // A whole number of hundredths: a rate of decimals is a binary fraction, whose halves are not exact.
  const tax = Math.round((minor * Math.round(vatRate * 100)) / 10_000);
  return minor + tax - totals.prepaidAmount + totals.roundingAmount;
}

export function isComplete(invoice: Invoice, draft: Draft): boolean {
  const { number, supplierName, issueDate, text, net, vatRate } = draft;
  const needed = invoice.lines.length > 0 ? [] : [text, String(net.amount), String(vatRate)];
  return [number, supplierName, issueDate, ...needed].every((value) => value.trim() !== '');
}

export function invoiceOf(invoice: Invoice, draft: Draft): InvoiceRequest {
  const { net, dueDate, supplierVatId } = draft;
  // A field that was cleared is left out.
  const { lines, vatBreakdown, totals, dueDate: _due, supplier, ...kept } = invoice;
  const { vatId: _vatId, ...keptSupplier } = supplier ?? {};
  const { prepaidAmount, roundingAmount } = totals;
  return {
    ...kept,
    type: draft.type,
    status: 'open',
    number: draft.number.trim(),
    supplier: {
      ...keptSupplier,
      name: draft.supplierName.trim(),
      ...(supplierVatId.trim() && { vatId: supplierVatId.trim() }),
    },
    issueDate: draft.issueDate,
    ...(dueDate && { dueDate }),
    currency: net.currency,
    // The amounts of lines that stay are those of the document; with a new line, the service calculates what follows from it.
    ...(lines.length > 0
      ? { lines, vatBreakdown, totals }
      : { lines: [lineOf(draft)], totals: { prepaidAmount, roundingAmount } }),
  };
}

function lineOf({ text, kind, net, vatRate, vehicleId }: Draft): InvoiceLineRequest {
  return {
    text: text.trim(),
    kind,
    quantity: '1',
    unitPrice: String(net.amount),
    ...(Number(vatRate) > 0
      ? { vatCategory: 'S' as const, vatRate: String(vatRate) }
      : { vatCategory: 'Z' as const, vatRate: '0' }),
    ...(vehicleId && { vehicleId }),
  };
}

/** In percent: a whole one that gives the tax, whether that was calculated from the net or from the gross amount; else one with a decimal. */
function vatRateOf(net: number, tax: number): number {
  const rate = (tax / net) * 100;
  const whole = Math.round(rate);
  const isExact = Math.abs((net * whole) / 100 - tax) <= (1 + whole / 100) / 2;
  return isExact ? whole : Math.round(rate * 10) / 10;
}
