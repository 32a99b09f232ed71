import { expect, test } from 'vitest';
import { AdmissionQueue, type QueueLimits, Tenant } from './admission-queue.ts';

/** A queue whose log has who started, and who was refused. */
function openQueue(limits: Partial<QueueLimits> = {}) {
  const queue = new AdmissionQueue({
    slots: 2,
    maxWaiting: 100,
    maxWaitingOfTenant: 50,
    maxWaitMs: 1_000,
    ...limits,
  });
  const log: string[] = [];
  const enter = (tenant: Tenant, name: string) =>
    queue.enter(tenant, (refusal) => void log.push(refusal ? `${name}: ${refusal.scope}` : name));
  return { queue, log, enter };
}

test('who finds a free slot starts at once', () => {
  const { log, enter } = openQueue();
  const [a, b] = [new Tenant(1), new Tenant(1)];
  enter(a, 'a1');
  enter(b, 'b1');
  expect(log).toEqual(['a1', 'b1']);
});

test('tenants take turns, however many statements of one wait before', () => {
  const { queue, log, enter } = openQueue({ slots: 1 });
  const [a, b, c] = [new Tenant(1), new Tenant(1), new Tenant(1)];
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(a, name);
  for (const name of ['b1', 'b2']) enter(b, name);
  enter(c, 'c1');
  for (const tenant of [a, a, b, c, a, b]) queue.leave(tenant);
  expect(log).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a tenant never holds more than its share, and others get the rest at once', () => {
  const { queue, log, enter } = openQueue({ slots: 3 });
  const [a, b] = [new Tenant(2), new Tenant(2)];
  for (const name of ['a1', 'a2', 'a3']) enter(a, name);
  enter(b, 'b1');
  enter(b, 'b2');
  expect(log).toEqual(['a1', 'a2', 'b1']);
  queue.leave(b);
  expect(log.slice(3)).toEqual(['b2']);
  queue.leave(a);
  expect(log.slice(4)).toEqual(['a3']);
});

test('what a tenant holds without a slot is of its share, and of nobody else', () => {
  const { queue, log, enter } = openQueue({ slots: 3 });
  const [a, b] = [new Tenant(2), new Tenant(3)];
  enter(a, 'a1');
  const release = queue.hold(a);
  enter(a, 'a2');
  queue.leave(a);
  for (const name of ['b1', 'b2']) enter(b, name);
  expect(log).toEqual(['a1', 'a2', 'b1', 'b2']);
  const releaseOther = queue.hold(a);
  queue.leave(a);
  enter(a, 'a3');
  enter(b, 'b3');
  expect(log.slice(4)).toEqual(['b3']);
  queue.leave(b);
  releaseOther();
  expect(log.slice(5)).toEqual(['a3']);
  release();
});

test('a tenant whose statements are long holds one slot, until they are short again', () => {
  const { queue, log, enter } = openQueue({ slots: 4 });
  const long = new Tenant(3, { long: { fromMs: 100, share: 1 } });
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) enter(long, name);
  expect(log).toEqual(['a', 'b', 'c']);
  for (let left = 0; left < 3; left++) queue.leave(long, 1_000);
  expect(log).toEqual(['a', 'b', 'c', 'd']);
  const leaveShort = (times: number) => {
    for (let left = 0; left < times; left++) {
      enter(long, 'short');
      queue.leave(long, 5);
    }
  };
  leaveShort(12);
  expect(long.share(false)).toBe(1);
  leaveShort(600);
  expect(long.share(false)).toBe(3);
  expect(long.active).toBe(3);
});

test('hundreds of reads between long statements do not hide those', () => {
  const { queue, enter } = openQueue({ slots: 10 });
  const tenant = new Tenant(5, { contended: { fromMs: 30, share: 2 } });
  const leave = (times: number, ms: number) => {
    for (let left = 0; left < times; left++) {
      enter(tenant, 'one');
      queue.leave(tenant, ms);
    }
  };
  leave(5, 1_300);
  leave(1_500, 1.5);
  expect(tenant.share(true)).toBe(2);
});

test('a tenant whose statements are not short holds fewer while others that compete hold some', () => {
  const { queue, log, enter } = openQueue({ slots: 8 });
  const limits = { long: { fromMs: 500, share: 1 }, contended: { fromMs: 30, share: 2 } };
  const tenantOf = () => new Tenant(4, { ...limits, competing: { active: 0 } });
  const [a, b, short] = [tenantOf(), tenantOf(), tenantOf()];
  const service = new Tenant(4);
  for (const tenant of [a, b]) {
    enter(tenant, 'first');
    queue.leave(tenant, 200);
  }
  log.length = 0;
  enter(service, 's');
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) enter(a, name);
  expect(log).toEqual(['s', 'a1', 'a2', 'a3', 'a4']);
  for (const name of ['b1', 'b2', 'b3']) enter(b, name);
  expect(log.slice(5)).toEqual(['b1', 'b2']);
  for (let left = 0; left < 2; left++) queue.leave(a, 200);
  expect(log.slice(7)).toEqual([]);
  enter(short, 'short');
  expect(log.slice(7)).toEqual(['short']);
  queue.leave(short, 1);
  for (let left = 0; left < 2; left++) queue.leave(a, 200);
  expect(log.slice(8)).toEqual(['a5']);
  queue.leave(a, 200);
  expect(log.slice(9)).toEqual(['b3']);
});

test('workloads of a tenant hold no more than they may together, and take turns at that', () => {
  const { queue, log, enter } = openQueue({ slots: 4 });
  const common = { active: 0, share: 2 };
  const reads = new Tenant(2, { common });
  const searches = new Tenant(1, { common });
  const [jobs, other] = [new Tenant(1), new Tenant(2)];
  for (const name of ['read1', 'read2', 'read3']) enter(reads, name);
  enter(searches, 'search1');
  enter(jobs, 'job1');
  enter(other, 'other1');
  expect(log).toEqual(['read1', 'read2', 'job1', 'other1']);
  queue.expire(performance.now() + 1_001);
  expect(log.slice(4)).toEqual(['read3: tenant', 'search1: tenant']);
  enter(searches, 'search2');
  enter(reads, 'read4');
  queue.leave(other);
  expect(log.slice(6)).toEqual([]);
  queue.leave(reads);
  expect(log.slice(6)).toEqual(['search2']);
  queue.leave(searches);
  expect(log.slice(7)).toEqual(['read4']);
});

test('the last slots are for tenants that hold none, and for who has no share', () => {
  const { queue, log, enter } = openQueue({ slots: 5, reserved: 2 });
  const [a, b, c] = [1, 2, 3].map(() => new Tenant(3, { held: { active: 0 } })) as [
    Tenant,
    Tenant,
    Tenant,
  ];
  for (const name of ['a1', 'a2', 'a3']) enter(a, name);
  for (const name of ['b1', 'b2']) enter(b, name);
  for (const name of ['c1', 'c2']) enter(c, name);
  enter(new Tenant(5), 'health');
  expect(log).toEqual(['a1', 'a2', 'a3', 'b1', 'c1']);
  queue.leave(c);
  expect(log.slice(5)).toEqual(['c2']);
  queue.leave(c);
  expect(log.slice(6)).toEqual(['health']);
  queue.leave(a);
  queue.leave(a);
  expect(log.slice(7)).toEqual([]);
  queue.leave(a);
  expect(log.slice(7)).toEqual(['b2']);
});

test('who waits behind a tenant at its share does not wait for it', () => {
  const { queue, log, enter } = openQueue({ slots: 2 });
  const [a, b, c] = [new Tenant(1), new Tenant(1), new Tenant(1)];
  for (const name of ['a1', 'a2']) enter(a, name);
  enter(b, 'b1');
  enter(c, 'c1');
  queue.leave(b);
  expect(log).toEqual(['a1', 'b1', 'c1']);
});

test('a full queue of one tenant refuses that tenant alone', () => {
  const { queue, log, enter } = openQueue({ slots: 1, maxWaitingOfTenant: 2 });
  const [a, b] = [new Tenant(1), new Tenant(1)];
  for (const name of ['a1', 'a2', 'a3', 'a4']) enter(a, name);
  expect(log).toEqual(['a1', 'a4: tenant']);
  enter(b, 'b1');
  expect(log).toHaveLength(2);
  queue.leave(a);
  enter(a, 'a5');
  expect(log.slice(2)).toEqual(['a2']);
});

test('a full queue of all refuses those with an equal part of it, and others once there are more than parts', () => {
  const { queue, log, enter } = openQueue({ slots: 1, maxWaiting: 4 });
  const [a, b, c, d, e] = Array.from({ length: 5 }, () => new Tenant(1)) as [
    Tenant,
    Tenant,
    Tenant,
    Tenant,
    Tenant,
  ];
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']) enter(a, name);
  expect(log).toEqual(['a1', 'a6: tenant']);
  for (const name of ['b1', 'b2', 'b3']) enter(b, name);
  expect(log.slice(2)).toEqual(['b3: tenant']);
  for (const name of ['c1', 'c2', 'c3']) enter(c, name);
  expect(log.slice(3)).toEqual(['c3: tenant']);
  enter(d, 'd1');
  enter(d, 'd2');
  enter(e, 'e1');
  expect(log.slice(4)).toEqual(['d2: tenant', 'e1: all']);
  for (const tenant of [a, a, b, c]) queue.leave(tenant);
  expect(log.slice(6)).toEqual(['a2', 'b1', 'c1', 'd1']);
});

test('what waits too long is refused, and holds no slot', () => {
  const { queue, log, enter } = openQueue({ slots: 2 });
  const [a, b, c] = [new Tenant(1), new Tenant(2), new Tenant(1)];
  for (const name of ['a1', 'a2']) enter(a, name);
  for (const name of ['b1', 'b2']) enter(b, name);
  queue.expire(performance.now());
  expect(log).toEqual(['a1', 'b1']);
  queue.expire(performance.now() + 1_001);
  // Its own statements are in the way of the first, those of others in the way of the second.
  expect(log.slice(2)).toEqual(['a2: tenant', 'b2: all']);
  queue.leave(a);
  queue.leave(b);
  for (const tenant of [a, b, c]) enter(tenant, 'next');
  expect(log.slice(4)).toEqual(['next', 'next']);
});

test('a cleared queue refuses all that waits', () => {
  const { queue, log, enter } = openQueue({ slots: 1 });
  const a = new Tenant(1);
  for (const name of ['a1', 'a2', 'a3']) enter(a, name);
  queue.clear();
  expect(log).toEqual(['a1', 'a2: all', 'a3: all']);
});

test('whatever comes and goes, no slot is lost, and none is free while somebody may take it', () => {
  const limits = { slots: 4, reserved: 1, maxWaiting: 40, maxWaitingOfTenant: 20 };
  const { queue, enter } = openQueue(limits);
  const common = { active: 0, share: 2 };
  const heldSlots = { active: 0 };
  const tenants = [1, 2, 3, 4].map(
    (share) =>
      new Tenant(
        share,
        [{ common, held: heldSlots }, { common, held: heldSlots }, { held: { active: 0 } }][
          share - 1
        ],
      ),
  );
  const held = () => tenants.reduce((sum, { active }) => sum + active, 0);
  let random = 1;
  const next = (below: number) => {
    random = (random * 48_271) % 2_147_483_647;
    return random % below;
  };
  for (let step = 0; step < 20_000; step++) {
    const tenant = tenants[next(4)] as Tenant;
    if (next(2) === 0) enter(tenant, '');
    else if (tenant.active > 0) queue.leave(tenant);
    if (next(500) === 0) queue.expire(performance.now() + 1_001);
    for (const one of tenants) expect(one.active).toBeLessThanOrEqual(one.share(false));
    expect(held()).toBeLessThanOrEqual(4);
    expect(common.active).toBe((tenants[0]?.active ?? 0) + (tenants[1]?.active ?? 0));
    const waiting = tenants.filter((one) => one.waiting.length > 0 && one.mayStart(false));
    expect(waiting.length > 0 && held() < 3).toBe(false);
    expect(waiting.some(({ mayUseReserve }) => mayUseReserve) && held() < 4).toBe(false);
  }
  queue.clear();
  for (const tenant of tenants) while (tenant.active > 0) queue.leave(tenant);
  expect(held()).toBe(0);
});
