import Big from 'big.js';

// Quotients are rounded to minor units afterwards: more digits than any price has.
const Decimal = Big();
Decimal.DP = 40;

/** ISO 4217 gives most currencies two digits after the point. */
const digits = new Map<string, number>(
  [
    ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0] as const,
    ['BHD IQD JOD KWD LYD OMR TND', 3] as const,
    ['CLF UYW', 4] as const,
  ].flatMap(([currencies, count]) => currencies.split(' ').map((currency) => [currency, count])),
);

/** How many digits after the point the minor unit of a currency has. */
export function minorUnitDigits(currency: string): number {
  return digits.get(currency) ?? 2;
}

export function decimal(value: string | number): Big {
  return new Decimal(value);
}

/** A decimal in the major unit, as minor units: half up, which is away from zero for a negative amount, too. */
export function toMinorUnits(amount: Big, currency: string): number {
  return roundHalfUp(amount.times(decimal(10).pow(minorUnitDigits(currency))));
}

/** The whole number next to a decimal; of a half, the one farther from zero. */
export function roundHalfUp(amount: Big): number {
  return amount.round(0, Decimal.roundHalfUp).toNumber() + 0;
}

/** The percentage of an amount in minor units. */
export function percentageOf(amount: number, percentage: string): number {
  return roundHalfUp(decimal(amount).times(percentage).div(100));
}

/** Exact, also where a part of the sum is not a safe integer. */
export function sumOf(amounts: readonly number[]): number {
  return Number(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));
}
