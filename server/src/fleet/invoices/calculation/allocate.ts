/**
 * Divides an amount in proportion to the sizes of the weights, or equally where all are 0, by largest remainders: the
 * parts always add up to it. The sign of a weight does not matter, so that no part is larger than the amount.
 */
export function allocate(amount: number, weights: readonly number[]): number[] {
  const sizes = weights.map((weight) => BigInt(Math.abs(weight)));
  const usable = sizes.some((size) => size > 0n) ? sizes : sizes.map(() => 1n);
  const total = usable.reduce((sum, size) => sum + size, 0n);
  const parts = usable.map((size, index) => {
    const product = BigInt(Math.abs(amount)) * size;
    return { index, whole: product / total, remainder: product % total };
  });
  const missing = BigInt(Math.abs(amount)) - parts.reduce((sum, { whole }) => sum + whole, 0n);
  const byRemainder = parts.toSorted(
    (a, b) =>
      Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder) || a.index - b.index,
  );
  for (const part of byRemainder.slice(0, Number(missing))) part.whole += 1n;
  return parts.map(({ whole }) => (amount < 0 ? 0 - Number(whole) : Number(whole)));
}
