import { exceededBy } from '../equal-parts.ts';

/** A statement weighs in the moving average by its time: many short ones between long ones do not hide those. */
const weightOf = (ms: number) => Math.min(0.5, Math.max(0.001, ms / 1_000));

/** The slots that several workloads of a tenant hold together, and the most that they may. */
export type CommonSlots = { active: number; readonly share: number };

/** The slots that all workloads of a tenant hold. */
export type HeldSlots = { active: number };

/** A share of those whose statements take so long, and longer, on average. */
type ShareFrom = { fromMs: number; share: number };

type TenantLimits = {
  /** With long statements, each of which may keep a processor busy, the share is a smaller one. */
  long?: ShareFrom | undefined;
  /** The same, while others hold slots. */
  contended?: ShareFrom | undefined;
  common?: CommonSlots | undefined;
  /** Without it, the tenant may have the reserve like any other slot. */
  held?: HeldSlots | undefined;
  /** Those by which the tenant competes with others, which are contended meanwhile. */
  competing?: HeldSlots | undefined;
};

/** Whose statements wait together: one workload of one tenant. */
export class Tenant {
  readonly #share: number;
  readonly #limits: TenantLimits;
  /** How long its latest statements held their slots, as a moving average. */
  #heldMs = 0;
  active = 0;
  readonly waiting: Waiting[] = [];

  constructor(share: number, limits: TenantLimits = {}) {
    this.#share = share;
    this.#limits = limits;
  }

  /** Whether it may hold one more. */
  mayStart(isContended: boolean): boolean {
    const { common } = this.#limits;
    if (common && common.active >= common.share) return false;
    return this.active < this.share(isContended);
  }

  /** The most slots that it may hold at a time. */
  share(isContended: boolean): number {
    const { long, contended } = this.#limits;
    if (long && this.#heldMs >= long.fromMs) return long.share;
    if (isContended && contended && this.#heldMs >= contended.fromMs) return contended.share;
    return this.#share;
  }

  /** Whether it may have one of those that are kept for who has none. */
  get mayUseReserve(): boolean {
    return this.#limits.held === undefined || this.#limits.held.active === 0;
  }

  get competing(): HeldSlots | undefined {
    return this.#limits.competing;
  }

  recordStart(): void {
    this.#count(1);
  }

  recordEnd(heldMs: number): void {
    this.#heldMs += (heldMs - this.#heldMs) * weightOf(heldMs);
    this.#count(-1);
  }

  #count(change: 1 | -1): void {
    this.active += change;
    if (this.#limits.held) this.#limits.held.active += change;
    if (this.#limits.competing) this.#limits.competing.active += change;
    if (this.#limits.common) this.#limits.common.active += change;
  }
}

/** Called once: with a slot, which the caller leaves afterwards, or with the reason why it gets none. */
type Start = (refusal?: Overloaded) => void;
type Waiting = { start: Start; since: number };

/** Refused without an attempt. `tenant`: because of its own that wait; `all`: because of everybody's. */
export class Overloaded extends Error {
  readonly scope: 'tenant' | 'all';
  /** What they wait for. */
  readonly resource: string;

  constructor(scope: 'tenant' | 'all', resource = 'the database') {
    super(`Too many wait for ${resource}`);
    this.scope = scope;
    this.resource = resource;
  }
}

export type QueueLimits = {
  slots: number;
  /** Of these, the last ones are for tenants that hold none: a few together could otherwise hold all. */
  reserved?: number;
  /** Beyond it, only those with less than an equal part of it are admitted. */
  maxWaiting: number;
  maxWaitingOfTenant: number;
  maxWaitMs: number;
  /** What is waited for; by default the database. */
  resource?: string;
};

/**
 * Hands out slots, round robin among the tenants that wait, and in order of arrival within each
 * (docs/decisions/0027-fair-use.md).
 */
export class AdmissionQueue {
  readonly #limits: QueueLimits;
  #free: number;
  #waiting = 0;
  /** The tenants that compete, and hold slots. */
  readonly #competing = new Set<HeldSlots>();
  /** The tenants with waiting statements, the next in turn first. */
  #turns: Tenant[] = [];

  constructor(limits: QueueLimits) {
    this.#limits = limits;
    this.#free = limits.slots;
  }

  get load(): { inUse: number; waiting: number; size: number } {
    const { slots } = this.#limits;
    return { inUse: slots - this.#free, waiting: this.#waiting, size: slots };
  }

  /** Starts at once where a slot is free. */
  enter(tenant: Tenant, start: Start): void {
    // A slot is free only while none of those who wait may have it, so this passes nobody.
    if (this.#mayStart(tenant)) {
      this.#admit(tenant, start);
      return;
    }
    if (tenant.waiting.length >= this.#limits.maxWaitingOfTenant) {
      start(this.#refusal('tenant'));
      return;
    }
    const scope = this.#waiting < this.#limits.maxWaiting ? undefined : this.#exceededBy(tenant);
    if (scope) {
      start(this.#refusal(scope));
      return;
    }
    if (tenant.waiting.push({ start, since: performance.now() }) === 1) this.#turns.push(tenant);
    this.#waiting += 1;
  }

  leave(tenant: Tenant, heldMs = 0): void {
    tenant.recordEnd(heldMs);
    if (tenant.competing?.active === 0) this.#competing.delete(tenant.competing);
    this.#free += 1;
    this.#startWaiting();
  }

  /** Counts as one more of the tenant, without a slot, until the result is called. */
  hold(tenant: Tenant): () => void {
    tenant.active += 1;
    return () => {
      tenant.active -= 1;
      this.#startWaiting();
    };
  }

  /** Refuses what has waited too long. */
  expire(now: number): void {
    if (this.#waiting === 0) return;
    const latest = now - this.#limits.maxWaitMs;
    this.#refuse(
      ({ since }) => since <= latest,
      (tenant) => this.#refusal(tenant.mayStart(this.#isContended(tenant)) ? 'all' : 'tenant'),
    );
  }

  /** Refuses all that waits. */
  clear(): void {
    this.#refuse(
      () => true,
      () => this.#refusal('all'),
    );
  }

  #refusal(scope: 'tenant' | 'all'): Overloaded {
    return new Overloaded(scope, this.#limits.resource);
  }

  #exceededBy({ waiting }: Tenant): 'tenant' | 'all' | undefined {
    const others = this.#turns.length - (waiting.length === 0 ? 0 : 1);
    return exceededBy(waiting.length, { others, limit: this.#limits.maxWaiting });
  }

  #mayStart(tenant: Tenant): boolean {
    const { reserved = 0 } = this.#limits;
    const isLeft = this.#free > reserved || (this.#free > 0 && tenant.mayUseReserve);
    return isLeft && tenant.mayStart(this.#isContended(tenant));
  }

  #isContended({ competing }: Tenant): boolean {
    return this.#competing.size > (competing && this.#competing.has(competing) ? 1 : 0);
  }

  #admit(tenant: Tenant, start: Start): void {
    tenant.recordStart();
    if (tenant.competing) this.#competing.add(tenant.competing);
    this.#free -= 1;
    start();
  }

  #startWaiting(): void {
    while (this.#free > 0) {
      const turn = this.#turns.findIndex((tenant) => this.#mayStart(tenant));
      const [tenant] = turn < 0 ? [] : this.#turns.splice(turn, 1);
      const next = tenant?.waiting.shift();
      if (!tenant || !next) return;
      this.#waiting -= 1;
      if (tenant.waiting.length > 0) this.#turns.push(tenant);
      this.#admit(tenant, next.start);
    }
  }

  #refuse(isRefused: (one: Waiting) => boolean, refusal: (tenant: Tenant) => Overloaded): void {
    for (const tenant of this.#turns) {
      // The oldest come first.
      while (tenant.waiting[0] && isRefused(tenant.waiting[0])) {
        this.#waiting -= 1;
        tenant.waiting.shift()?.start(refusal(tenant));
      }
    }
    this.#turns = this.#turns.filter(({ waiting }) => waiting.length > 0);
  }
}
