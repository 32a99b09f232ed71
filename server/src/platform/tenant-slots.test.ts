import { expect, test } from 'vitest';
import { createTenantSlots } from './tenant-slots.ts';

const limits = {
  slots: 2,
  share: 1,
  maxWaiting: 10,
  maxWaitingOfTenant: 3,
  maxWaitMs: 60_000,
  resource: 'a turn',
};

/** Slots whose tasks take until they are released. */
function openSlots(changed: Partial<typeof limits> = {}) {
  const slots = createTenantSlots({ ...limits, ...changed });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const started: string[] = [];
  const run = (tenant: string, name: string) =>
    slots.run(tenant, async () => {
      started.push(name);
      await held;
      return name;
    });
  return { started, run, release };
}

test('of one tenant so many wait and no more, which leaves others alone', async () => {
  const { started, run, release } = openSlots();
  const first = ['A1', 'A2', 'A3', 'A4'].map((name) => run('A', name));
  await expect(run('A', 'A5')).rejects.toMatchObject({ scope: 'tenant', resource: 'a turn' });
  const other = run('B', 'B1');
  await expect.poll(() => started).toEqual(['A1', 'B1']);
  release();
  expect(await Promise.all([...first, other])).toEqual(['A1', 'A2', 'A3', 'A4', 'B1']);
  expect(await run('A', 'A6')).toBe('A6');
});

test('a task that fails leaves its slot to the next', async () => {
  const slots = createTenantSlots({ ...limits, slots: 1 });
  const failed = slots.run('A', () => Promise.reject(new Error('no')));
  const next = slots.run('B', async () => 'next');
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
});

test('what waits too long is refused', async () => {
  const { run, release } = openSlots({ slots: 1, maxWaitMs: 20 });
  const first = run('A', 'A1');
  await expect(run('B', 'B1')).rejects.toMatchObject({ scope: 'all' });
  release();
  expect(await first).toBe('A1');
});
