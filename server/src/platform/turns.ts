/** Runs the work of each tenant one after the other, and that of several tenants beside each other. */
export function createTurns(
  /** Awaited by work that had to wait. */
  pause?: () => Promise<void>,
): <Result>(tenant: string, work: () => Promise<Result>) => Promise<Result> {
  const last = new Map<string, Promise<void>>();
  return async (tenant, work) => {
    const before = last.get(tenant);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    last.set(tenant, ended);
    try {
      await before;
      if (before) await pause?.();
      return await work();
    } finally {
      end();
      if (last.get(tenant) === ended) last.delete(tenant);
    }
  };
}
