import { setTimeout as sleep } from 'node:timers/promises';
import { refillTokens, type TokenBucket } from '../token-bucket.ts';

export type SendRateOptions = {
  /** What a tenant may send; as much at once where it has sent nothing before. */
  perSecond: number;
  /** The time in milliseconds; by default since the start of the process. */
  now?: () => number;
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};

/** Ends early when the signal is aborted. */
export async function pauseUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {});
}

/** Bounds how much a process sends for each tenant. */
export class SendRate {
  readonly #perSecond: number;
  readonly #now: () => number;
  readonly #pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor({
    perSecond,
    now = () => performance.now(),
    pause = pauseUnlessAborted,
  }: SendRateOptions) {
    this.#perSecond = perSecond;
    this.#now = now;
    this.#pause = pause;
  }

  /** Waits until the tenant may send once more. False where that is later than it waits, or the signal is aborted. */
  async take(tenant: string, maxWaitMs: number, signal: AbortSignal): Promise<boolean> {
    const bucket = this.#bucketOf(tenant);
    const waitMs = ((1 - bucket.tokens) / this.#perSecond) * 1_000;
    if (waitMs > maxWaitMs) {
      await this.#pause(maxWaitMs, signal);
      return false;
    }
    // Reserved: whoever comes next waits for the one after.
    bucket.tokens -= 1;
    if (waitMs > 0) await this.#pause(waitMs, signal);
    return !signal.aborted;
  }

  /** Counts so many messages where the tenant may send them now. Returns after how many milliseconds it may: 0 where they count. */
  tryTake(tenant: string, messages: number): number {
    const bucket = this.#bucketOf(tenant);
    const waitMs = ((messages - bucket.tokens) / this.#perSecond) * 1_000;
    if (waitMs > 0) return waitMs;
    bucket.tokens -= messages;
    return 0;
  }

  /** What was more work than one message counts for more, by letting the next ones wait. */
  charge(tenant: string, messages: number): void {
    this.#bucketOf(tenant).tokens -= messages;
  }

  /** Forgets the tenants that have not sent for a while: a full bucket is as good as none. */
  dropFull(): void {
    for (const [tenant, bucket] of this.#buckets) {
      this.#refill(bucket);
      if (bucket.tokens >= this.#perSecond) this.#buckets.delete(tenant);
    }
  }

  get size(): number {
    return this.#buckets.size;
  }

  #bucketOf(tenant: string): TokenBucket {
    const known = this.#buckets.get(tenant);
    if (known) {
      this.#refill(known);
      return known;
    }
    const bucket = { tokens: this.#perSecond, refilledAt: this.#now() };
    this.#buckets.set(tenant, bucket);
    return bucket;
  }

  #refill(bucket: TokenBucket): void {
    const perSecond = this.#perSecond;
    refillTokens(bucket, { perSecond, capacity: perSecond }, this.#now());
  }
}
