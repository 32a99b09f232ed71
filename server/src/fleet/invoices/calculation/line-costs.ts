import type { NewInvoice } from '../invoice.ts';
import { allocate } from './allocate.ts';
import { vatKey } from './complete-invoice.ts';
import { sumOf } from './money.ts';

export type LineCost = { amount: number; taxAmount: number };

/**
 * What each line costs, with its share of the VAT and of the allowances and charges on the invoice: together exactly
 * the amount with VAT, negative in a credit note.
 */
export function lineCosts({ type, lines, vatBreakdown, totals }: NewInvoice): LineCost[] {
  if (lines.length === 0) return [];
  const all = lines.map((_, index) => index);
  const net = lines.map(() => 0);
  const tax = lines.map(() => 0);
  const share = (costs: number[], amount: number, among: readonly number[]) => {
    const weights = among.map((index) => lines[index]?.netAmount ?? 0);
    for (const [place, part] of allocate(amount, weights).entries()) {
      const index = among[place] ?? 0;
      costs[index] = (costs[index] ?? 0) + part;
    }
  };
  for (const entry of vatBreakdown) {
    const taxedAlike = all.filter((index) => vatKey(lines[index] ?? {}) === vatKey(entry));
    const among = taxedAlike.length > 0 ? taxedAlike : all;
    share(net, entry.taxableAmount, among);
    share(tax, entry.taxAmount, among);
  }
  // What the breakdown of a received invoice does not cover.
  share(net, totals.taxExclusiveAmount - sumOf(net), all);
  share(tax, totals.taxAmount - sumOf(tax), all);
  const withVat = totals.taxInclusiveAmount - totals.taxExclusiveAmount - totals.taxAmount;
  share(net, withVat, all);
  const sign = type === 'credit_note' ? -1 : 1;
  return all.map((index) => {
    const taxAmount = tax[index] ?? 0;
    return { amount: sign * ((net[index] ?? 0) + taxAmount), taxAmount: sign * taxAmount };
  });
}
