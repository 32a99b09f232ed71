import { setTimeout as sleep } from 'node:timers/promises';
import { refillTokens, type TokenBucket } from '../token-bucket.ts';

export type WorkMeterOptions = {
  /** What a tenant may take of each second; as much at once where it has taken nothing before. */
  millisecondsPerSecond: number;
  /** How many pieces of the work of a tenant are begun before one has ended. */
  atOnce?: number;
  /** The time in milliseconds; by default since the start of the process. */
  now?: () => number;
  pause?: (milliseconds: number) => Promise<unknown>;
};

/** What the encryption of all connections of a tenant may take of each second. */
export const encryptionMsPerSecond = 100;

/** Says how many milliseconds a piece of work took. */
type Charge = (milliseconds: number) => void;

type Tenant = { bucket: TokenBucket; running: number; waiting: (() => void)[] };

/**
 * Bounds the time that work takes for each tenant, where only its end shows how long it was: whoever took more waits until that
 * is made up for. Few pieces of a tenant are begun at once, so that there are never more than these too much.
 */
export class WorkMeter {
  readonly #rate: { perSecond: number; capacity: number };
  readonly #atOnce: number;
  readonly #now: () => number;
  readonly #pause: (milliseconds: number) => Promise<unknown>;
  readonly #tenants = new Map<string, Tenant>();

  constructor({
    millisecondsPerSecond,
    atOnce = 1,
    now = () => performance.now(),
    pause = (milliseconds) => sleep(milliseconds),
  }: WorkMeterOptions) {
    this.#rate = { perSecond: millisecondsPerSecond, capacity: millisecondsPerSecond };
    this.#atOnce = atOnce;
    this.#now = now;
    this.#pause = pause;
  }

  async run<Result>(
    name: string,
    work: (charge: Charge) => Result | Promise<Result>,
  ): Promise<Result> {
    const tenant = this.#tenantOf(name);
    if (tenant.running < this.#atOnce) tenant.running += 1;
    else await new Promise<void>((resolve) => tenant.waiting.push(resolve));
    try {
      await this.#waitForDebt(tenant.bucket);
      return await work((milliseconds) => {
        tenant.bucket.tokens -= milliseconds;
      });
    } finally {
      const next = tenant.waiting.shift();
      if (next) next();
      else tenant.running -= 1;
    }
  }

  async #waitForDebt(bucket: TokenBucket): Promise<void> {
    refillTokens(bucket, this.#rate, this.#now());
    while (bucket.tokens < 0) {
      await this.#pause((-bucket.tokens / this.#rate.perSecond) * 1_000);
      refillTokens(bucket, this.#rate, this.#now());
    }
  }

  #tenantOf(name: string): Tenant {
    const known = this.#tenants.get(name);
    if (known) return known;
    const bucket = { tokens: this.#rate.capacity, refilledAt: this.#now() };
    const added = { bucket, running: 0, waiting: [] };
    this.#tenants.set(name, added);
    return added;
  }
}
