import type { ValidationIssue } from '../../../platform/http/problem.ts';
import {
  type InvoiceRequest,
  maxVatParts,
  type NewInvoice,
  type Totals,
  type VatBreakdown,
} from '../invoice.ts';
import type { InvoiceLine, InvoiceLineRequest } from '../invoice-line.ts';
import { yieldBetweenLines } from '../yield-between-lines.ts';
import { linesTooLarge } from './line-costs.ts';
import { grossAmount, percentageOf, sumOf } from './money.ts';
import { impliedRate, type Taxed, vatKey } from './vat-key.ts';

/** The amounts as they were sent, each with the value that it must have by those before it. */
type Check = (pointer: string, found: number | undefined, expected: number, why: string) => number;

/**
 * An invoice with all amounts: those that were sent, and where one is left out what it has to be. Those that disagree
 * with the others are issues, each judged by the amounts that were sent (EN 16931, BR-CO-10 to BR-CO-17).
 */
export async function completeInvoice(
  request: InvoiceRequest,
  { currency, status }: Pick<NewInvoice, 'currency' | 'status'>,
): Promise<{ invoice: NewInvoice; issues: ValidationIssue[] }> {
  const issues: ValidationIssue[] = [];
  const check: Check = (pointer, sentAmount, expected, why) => {
    const found = sentAmount ?? expected;
    const name = pointer.slice(pointer.lastIndexOf('/') + 1);
    if (!Number.isSafeInteger(expected))
      issues.push({ pointer, detail: `${name} is too large to be calculated with: ${why}.` });
    else if (found !== expected)
      issues.push({ pointer, detail: `${name} must be ${expected}, ${why}; found ${found}.` });
    return found;
  };
  const { id: _, blobs: __, createdAt: ___, updatedAt: ____, ...sent } = request;
  const yieldAfter = yieldBetweenLines();
  await checkPercentages(request, check, yieldAfter);
  const lines: InvoiceLine[] = [];
  for (const [index, line] of (request.lines ?? []).entries()) {
    lines.push(completeLine(line, index, currency, check));
    await yieldAfter(line);
  }
  const { allowances = [], charges = [] } = request;
  const parts = { lines, allowances, charges };
  const vatBreakdown = completeBreakdown(request.vatBreakdown, vatGroups(parts), check, issues);
  const totals = completeTotals(request.totals ?? {}, parts, vatBreakdown, check);
  const { type = 'invoice' } = request;
  const invoice = { ...sent, type, status, currency, lines, vatBreakdown, totals };
  // Of lines of opposite signs, the sums may be small all the same.
  if (issues.length === 0)
    for (const index of linesTooLarge(invoice))
      issues.push({
        pointer: `/lines/${index}`,
        detail: 'The line with its VAT is too large to be calculated with.',
      });
  return { invoice, issues };
}

function completeLine(
  line: InvoiceLineRequest,
  index: number,
  currency: string,
  check: Check,
): InvoiceLine {
  const { quantity = '1', priceBaseQuantity = '1', allowances = [], charges = [] } = line;
  const { vatCategory = 'S' } = line;
  const { unitPrice } = line;
  const expected = sumOf([
    grossAmount({ quantity, unitPrice, priceBaseQuantity }, currency),
    ...charges.map(amountOf),
    ...allowances.map(({ amount }) => -amount),
  ]);
  const why = 'quantity times price, less allowances, plus charges';
  const vatRate = line.vatRate ?? impliedRate(vatCategory);
  return {
    ...line,
    lineNumber: line.lineNumber ?? String(index + 1),
    kind: line.kind ?? 'other',
    quantity,
    unit: line.unit ?? 'C62',
    priceBaseQuantity,
    netAmount: check(`/lines/${index}/netAmount`, line.netAmount, expected, why),
    vatCategory,
    ...(vatRate !== undefined && { vatRate }),
  };
}

const amountOf = ({ amount }: { amount: number }) => amount;

type Parts = Pick<NewInvoice, 'lines'> & Required<Pick<NewInvoice, 'allowances' | 'charges'>>;

type VatGroup = Pick<VatBreakdown, 'vatCategory' | 'vatRate' | 'taxableAmount'>;

function vatGroups({ lines, allowances, charges }: Parts): Map<string, VatGroup> {
  const parts: { part: Taxed; amount: number }[] = [
    ...lines.map((part) => ({ part, amount: part.netAmount })),
    ...allowances.map((part) => ({ part, amount: -part.amount })),
    ...charges.map((part) => ({ part, amount: part.amount })),
  ];
  const groups = new Map<string, VatGroup>();
  for (const [key, alike] of Map.groupBy(parts, ({ part }) => vatKey(part))) {
    const { vatCategory = 'S', vatRate = impliedRate(vatCategory) } = alike[0]?.part ?? {};
    const taxableAmount = sumOf(alike.map(amountOf));
    groups.set(key, { vatCategory, ...(vatRate !== undefined && { vatRate }), taxableAmount });
  }
  return groups;
}

const whyTaxable = 'the lines less allowances, plus charges, of this category and rate';
const whyTax = 'the rate of the taxable amount, rounded half up';

function completeBreakdown(
  sent: readonly VatBreakdown[] | undefined,
  groups: ReadonlyMap<string, VatGroup>,
  check: Check,
  issues: ValidationIssue[],
): VatBreakdown[] {
  const taxOf = (amount: number, rate: string | undefined) =>
    rate === undefined ? 0 : percentageOf(amount, rate);
  if (!sent) {
    if (groups.size > maxVatParts) {
      const detail = `The lines, allowances and charges have ${groups.size} VAT categories and rates together; an invoice has ${maxVatParts} at most.`;
      issues.push({ pointer: '/lines', detail });
    }
    return [...groups.values()].map((group, index) => {
      const expected = taxOf(group.taxableAmount, group.vatRate);
      const taxAmount = check(`/vatBreakdown/${index}/taxAmount`, undefined, expected, whyTax);
      return { ...group, taxAmount };
    });
  }
  const missing = new Map(groups);
  const breakdown = sent.map((entry, index) => {
    const pointer = `/vatBreakdown/${index}`;
    const group = missing.get(vatKey(entry));
    missing.delete(vatKey(entry));
    if (!group) {
      const detail = `Nothing else on the invoice is taxed by ${vatKey(entry)}, or the breakdown has it twice.`;
      issues.push({ pointer, detail });
      return entry;
    }
    check(`${pointer}/taxableAmount`, entry.taxableAmount, group.taxableAmount, whyTaxable);
    const expected = taxOf(entry.taxableAmount, entry.vatRate ?? group.vatRate);
    check(`${pointer}/taxAmount`, entry.taxAmount, expected, whyTax);
    return { ...group, ...entry };
  });
  for (const key of missing.keys())
    issues.push({
      pointer: '/vatBreakdown',
      detail: `The breakdown lacks ${key}, which is on the invoice.`,
    });
  return breakdown;
}

function completeTotals(
  sent: Partial<Totals>,
  { lines, allowances, charges }: Parts,
  breakdown: readonly VatBreakdown[],
  check: Check,
): Totals {
  const total = (name: keyof Totals, expected: number, why: string) =>
    check(`/totals/${name}`, sent[name], expected, why);
  const lineNetAmount = total(
    'lineNetAmount',
    sumOf(lines.map(({ netAmount }) => netAmount)),
    'the sum of netAmount of the lines',
  );
  const allowanceAmount = total(
    'allowanceAmount',
    sumOf(allowances.map(amountOf)),
    'the sum of the allowances',
  );
  const chargeAmount = total(
    'chargeAmount',
    sumOf(charges.map(amountOf)),
    'the sum of the charges',
  );
  const taxExclusiveAmount = total(
    'taxExclusiveAmount',
    sumOf([lineNetAmount, -allowanceAmount, chargeAmount]),
    'lineNetAmount - allowanceAmount + chargeAmount',
  );
  const taxAmount = total(
    'taxAmount',
    sumOf(breakdown.map(({ taxAmount }) => taxAmount)),
    'the sum of taxAmount of the VAT breakdown',
  );
  const taxInclusiveAmount = total(
    'taxInclusiveAmount',
    sumOf([taxExclusiveAmount, taxAmount]),
    'taxExclusiveAmount + taxAmount',
  );
  const { prepaidAmount = 0, roundingAmount = 0 } = sent;
  const payableAmount = total(
    'payableAmount',
    sumOf([taxInclusiveAmount, -prepaidAmount, roundingAmount]),
    'taxInclusiveAmount - prepaidAmount + roundingAmount',
  );
  return {
    lineNetAmount,
    allowanceAmount,
    chargeAmount,
    taxExclusiveAmount,
    taxAmount,
    taxInclusiveAmount,
    prepaidAmount,
    roundingAmount,
    payableAmount,
  };
}

/** An allowance or a charge that says what it is a percentage of. */
async function checkPercentages(
  { lines = [], allowances, charges }: InvoiceRequest,
  check: Check,
  yieldAfter: ReturnType<typeof yieldBetweenLines>,
): Promise<void> {
  const each = (pointer: string, all: InvoiceLineRequest['allowances'] = []) => {
    for (const [index, { amount, baseAmount, percentage }] of all.entries()) {
      if (baseAmount === undefined || percentage === undefined) continue;
      const expected = percentageOf(baseAmount, percentage);
      check(`${pointer}/${index}/amount`, amount, expected, 'the percentage of baseAmount');
    }
  };
  each('/allowances', allowances);
  each('/charges', charges);
  for (const [index, line] of lines.entries()) {
    each(`/lines/${index}/allowances`, line.allowances);
    each(`/lines/${index}/charges`, line.charges);
    await yieldAfter(line);
  }
}
