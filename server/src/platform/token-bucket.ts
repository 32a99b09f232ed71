/** What may yet be used of a rate. */
export type TokenBucket = { tokens: number; refilledAt: number };

export type TokenRate = { perSecond: number; capacity: number };

export function refillTokens(
  bucket: TokenBucket,
  { perSecond, capacity }: TokenRate,
  now: number,
): void {
  const refill = ((now - bucket.refilledAt) / 1_000) * perSecond;
  bucket.tokens = Math.min(capacity, bucket.tokens + refill);
  bucket.refilledAt = now;
}
