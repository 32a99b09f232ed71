import { Big } from 'big.js';

export const zero = new Big(0);

/** To two decimals, half up, as EN 16931 rounds amounts. */
export function rounded(amount: Big): Big {
  return amount.round(2, Big.roundHalfUp);
}

export function sumOf(amounts: readonly (Big | undefined)[]): Big {
  return amounts.reduce<Big>((sum, amount) => (amount ? sum.plus(amount) : sum), zero);
}

export function shown(amount: Big | undefined): string | undefined {
  return amount?.toFixed();
}
