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

const plain = /^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/;

/** The same text for the same decimal, however it is written. */
export function plainDecimal(text: string): string {
  return plain.test(text) ? text : decimal(text).toFixed();
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
  // A sum that no number holds exactly is taken as it is written.
  if (!Number.isSafeInteger(amount)) return roundHalfUp(decimal(amount).times(percentage).div(100));
  const rate = wholeOf(percentage);
  return roundedQuotient(BigInt(amount) * rate.digits, 100n * powerOfTen(rate.scale));
}

type Price = { quantity: string; unitPrice: string; priceBaseQuantity: string };

/** Quantity times price in minor units; 0 where the price is for a quantity of 0. */
export function grossAmount(price: Price, currency: string): number {
  const [quantity, unitPrice] = [wholeOf(price.quantity), wholeOf(price.unitPrice)];
  const base = wholeOf(price.priceBaseQuantity);
  if (base.digits === 0n) return 0;
  return roundedQuotient(
    quantity.digits * unitPrice.digits * powerOfTen(base.scale + minorUnitDigits(currency)),
    base.digits * powerOfTen(quantity.scale + unitPrice.scale),
  );
}

/** Whole numbers, as an invoice has thousands of decimals: quotients of `Decimal` are made digit by digit. */
function wholeOf(text: string): { digits: bigint; scale: number } {
  const point = text.indexOf('.');
  if (point === -1) return { digits: BigInt(text), scale: 0 };
  const digits = BigInt(text.slice(0, point) + text.slice(point + 1));
  return { digits, scale: text.length - point - 1 };
}

function powerOfTen(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** As `roundHalfUp`. */
function roundedQuotient(dividend: bigint, divisor: bigint): number {
  const isNegative = dividend < 0n !== divisor < 0n;
  const [size, by] = [sizeOf(dividend), sizeOf(divisor)];
  const rounded = Number((2n * size + by) / (2n * by));
  return isNegative ? 0 - rounded : rounded;
}

function sizeOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Exact, also where a part of the sum is not a safe integer. */
export function sumOf(amounts: readonly number[]): number {
  return Number(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));
}
