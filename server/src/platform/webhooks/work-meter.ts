import { setTimeout as sleep } from 'node:timers/promises';
import { refillTokens, type TokenBucket } from '../token-bucket.ts';

export type WorkMeterOptions = {
  /** What a tenant may take of each second; as much at once where it has taken nothing before. */
  millisecondsPerSecond: number;
  /** The time in milliseconds; by default since the start of the process. */
  now?: () => number;
  pause?: (milliseconds: number) => Promise<unknown>;
};

/** What the encryption of all connections of a tenant may take of each second. */
export const encryptionMsPerSecond = 100;

type Tenant = { bucket: TokenBucket; last: Promise<void> };

/**
 * Bounds the time that work takes for each tenant, where only its end shows how long it was: whoever took more waits until that
 * is made up for. The work of a tenant is done one after the other, so that there is never more than one piece too much.
 */
export class WorkMeter {
  readonly #rate: { perSecond: number; capacity: number };
  readonly #now: () => number;
  readonly #pause: (milliseconds: number) => Promise<unknown>;
  readonly #tenants = new Map<string, Tenant>();

  constructor({
    millisecondsPerSecond,
    now = () => performance.now(),
    pause = (milliseconds) => sleep(milliseconds),
  }: WorkMeterOptions) {
    this.#rate = { perSecond: millisecondsPerSecond, capacity: millisecondsPerSecond };
    this.#now = now;
    this.#pause = pause;
  }

  run(tenant: string, work: () => void): Promise<void> {
    const metered = this.#tenantOf(tenant);
    const done = metered.last.then(() => this.#runNext(metered.bucket, work));
    metered.last = done.catch(() => {});
    return done;
  }

  async #runNext(bucket: TokenBucket, work: () => void): Promise<void> {
    refillTokens(bucket, this.#rate, this.#now());
    while (bucket.tokens < 0) {
      await this.#pause((-bucket.tokens / this.#rate.perSecond) * 1_000);
      refillTokens(bucket, this.#rate, this.#now());
    }
    const startedAt = this.#now();
    try {
      work();
    } finally {
      bucket.tokens -= this.#now() - startedAt;
    }
  }

  #tenantOf(tenant: string): Tenant {
    const known = this.#tenants.get(tenant);
    if (known) return known;
    const bucket = { tokens: this.#rate.capacity, refilledAt: this.#now() };
    const added = { bucket, last: Promise.resolve() };
    this.#tenants.set(tenant, added);
    return added;
  }
}
