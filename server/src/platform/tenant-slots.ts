import { AdmissionQueue, type QueueLimits, Tenant } from './db/admission-queue.ts';

export type SlotLimits = QueueLimits & {
  /** The most slots that a tenant may hold at a time. */
  share: number;
};

export type TenantSlots = {
  /** Runs a task when its turn comes; rejects with Overloaded when too many wait, or it has waited too long. */
  run<Result>(tenant: string, task: () => Promise<Result>): Promise<Result>;
};

/** Runs tasks, few at a time, in which the tenants take turns. */
export function createTenantSlots({ share, ...limits }: SlotLimits): TenantSlots {
  const queue = new AdmissionQueue(limits);
  const tenants = new Map<string, Tenant>();

  async function enter(tenant: Tenant): Promise<void> {
    const expiry = setInterval(() => queue.expire(performance.now()), limits.maxWaitMs + 1);
    try {
      await new Promise<void>((resolve, reject) => {
        queue.enter(tenant, (refusal) => (refusal ? reject(refusal) : resolve()));
      });
    } finally {
      clearInterval(expiry);
    }
  }

  return {
    async run(name, task) {
      const tenant = tenants.get(name) ?? new Tenant(share);
      tenants.set(name, tenant);
      try {
        await enter(tenant);
        try {
          return await task();
        } finally {
          queue.leave(tenant);
        }
      } finally {
        if (tenant.active === 0 && tenant.waiting.length === 0 && tenants.get(name) === tenant)
          tenants.delete(name);
      }
    },
  };
}
