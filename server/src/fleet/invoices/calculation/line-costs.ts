import type { NewInvoice } from '../invoice.ts';
import { allocate } from './allocate.ts';
import { percentageOf, sumOf } from './money.ts';
import { vatKey } from './vat-key.ts';

export type LineCost = { amount: number; taxAmount: number };

/**
 * What each line costs, with its share of the VAT and of the allowances and charges on the invoice: together exactly
 * the amount with VAT, negative in a credit note.
 */
export function lineCosts({ type, lines, vatBreakdown, totals }: NewInvoice): LineCost[] {
  if (lines.length === 0) return [];
  const costs = lines.map((line) => ({ net: line.netAmount, tax: 0, vat: vatKey(line) }));
  const breakdown = Map.groupBy(vatBreakdown, vatKey);
  for (const [key, alike] of Map.groupBy(costs, ({ vat }) => vat)) {
    const entries = breakdown.get(key);
    if (!entries) continue;
    const taxable = sumOf(entries.map(({ taxableAmount }) => taxableAmount));
    share('net', taxable - sumOf(alike.map(({ net }) => net)), alike);
    for (const cost of alike) cost.tax = percentageOf(cost.net, entries[0]?.vatRate ?? '0');
    const tax = sumOf(entries.map(({ taxAmount }) => taxAmount));
    share('tax', tax - sumOf(alike.map((cost) => cost.tax)), alike);
  }
  // What is taxed as no line is, and what the breakdown of a received invoice does not cover.
  share('tax', totals.taxAmount - sumOf(costs.map(({ tax }) => tax)), costs);
  const net = totals.taxInclusiveAmount - totals.taxAmount;
  share('net', net - sumOf(costs.map((cost) => cost.net)), costs);
  return costs.map(({ net, tax }) =>
    type === 'credit_note'
      ? { amount: 0 - net - tax, taxAmount: 0 - tax }
      : { amount: net + tax, taxAmount: tax },
  );
}

/** The indexes of lines of which a number does not hold exactly what they cost. */
export function linesTooLarge(invoice: NewInvoice): number[] {
  return lineCosts(invoice).flatMap((cost, index) =>
    Object.values(cost).every(Number.isSafeInteger) ? [] : [index],
  );
}

type Cost = { net: number; tax: number };

/** Adds an amount to the costs, in proportion to their size. */
function share(part: keyof Cost, amount: number, costs: readonly Cost[]): void {
  const shares = allocate(
    amount,
    costs.map(({ net }) => net),
  );
  for (const [index, cost] of costs.entries()) cost[part] += shares[index] ?? 0;
}
