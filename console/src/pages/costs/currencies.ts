import type { CostTotal } from '@motorpool/client';

type Total = Pick<CostTotal, 'currency' | 'amount'>;

/** The one in which most was paid first; of those that were used as often, the fleet's own. */
export function currenciesOf(totals: readonly Total[], own: string): string[] {
  const counts = new Map<string, number>();
  for (const { currency } of totals) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts]
    .sort(([a, first], [b, second]) => second - first || Number(b === own) - Number(a === own))
    .map(([currency]) => currency);
}

/** What was paid in each of these currencies. */
export function sumsIn(currencies: readonly string[], totals: readonly Total[]): Total[] {
  return currencies.map((currency) => ({
    currency,
    amount: totals.reduce((sum, one) => sum + (one.currency === currency ? one.amount : 0), 0),
  }));
}
