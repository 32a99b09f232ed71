/**
 * Divides an amount in proportion to the weights, by largest remainders: the parts always add up to it. Weights that
 * cancel out count by their size, and equally where there are none.
 */
export function allocate(amount: number, weights: readonly number[]): number[] {
  const usable = usableWeights(weights);
  const total = usable.reduce((sum, weight) => sum + weight, 0n);
  const sign = total < 0n ? -1n : 1n;
  const parts = usable.map((weight, index) => {
    const product = BigInt(amount) * weight * sign;
    const divisor = total * sign;
    const remainder = ((product % divisor) + divisor) % divisor;
    return { index, whole: (product - remainder) / divisor, remainder };
  });
  const missing = BigInt(amount) - parts.reduce((sum, { whole }) => sum + whole, 0n);
  const byRemainder = parts.toSorted(
    (a, b) =>
      Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder) || a.index - b.index,
  );
  for (const part of byRemainder.slice(0, Number(missing))) part.whole += 1n;
  return parts.map(({ whole }) => Number(whole));
}

function usableWeights(weights: readonly number[]): bigint[] {
  const exact = weights.map(BigInt);
  if (exact.reduce((sum, weight) => sum + weight, 0n) !== 0n) return exact;
  const sizes = exact.map((weight) => (weight < 0n ? -weight : weight));
  return sizes.some((size) => size > 0n) ? sizes : sizes.map(() => 1n);
}
