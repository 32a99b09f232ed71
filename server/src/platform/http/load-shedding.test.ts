import { expect, test } from 'vitest';
import { LoadShedder } from './load-shedding.ts';

const limits = { alwaysAdmitted: 4, targetMs: 100, budgetMs: 250, windowMs: 200 };

/** A shedder with a clock of its own, and the requests that it has admitted. */
function createLoad() {
  let now = 0;
  const shedder = new LoadShedder(limits, () => now);
  const running: (() => void)[] = [];
  return {
    wait(ms: number) {
      now += ms;
    },
    /** Sends requests of a tenant, and returns how many are admitted. */
    send(tenant: string, count: number): number {
      let admitted = 0;
      for (let sent = 0; sent < count; sent += 1) {
        if (shedder.overloadedBy(tenant)) continue;
        running.push(shedder.begin(tenant));
        admitted += 1;
      }
      return admitted;
    },
    answer(count: number) {
      for (const end of running.splice(0, count)) end();
    },
  };
}

/** More come than are answered, for longer than the target and a window. */
function overload(load: ReturnType<typeof createLoad>) {
  load.send('A', 40);
  load.wait(150);
  load.answer(20);
  load.wait(60);
}

test('a burst is admitted, whatever its size', () => {
  const load = createLoad();
  expect(load.send('A', 1_000)).toBe(1_000);
});

test('requests that are answered in time are never refused, however many there are', () => {
  const load = createLoad();
  for (let round = 0; round < 20; round += 1) {
    expect(load.send('A', 100)).toBe(100);
    load.wait(50);
    load.answer(100);
  }
});

test('while even the fastest is late, no more are in progress than are answered within the budget', () => {
  const load = createLoad();
  overload(load);
  // The budget holds 23 at the rate of the window, and 20 are in progress: docs/decisions/0064-overload.md.
  expect(load.send('A', 40)).toBe(4);
});

test('few requests are admitted, however long each takes', () => {
  const load = createLoad();
  for (let round = 0; round < 10; round += 1) {
    expect(load.send('A', 4)).toBe(4);
    load.wait(5_000);
    load.answer(4);
  }
});

test('a tenant with less than its part is admitted while another floods', () => {
  const load = createLoad();
  overload(load);
  load.send('A', 40);
  expect(load.send('B', 5)).toBe(5);
  expect(load.send('A', 5)).toBe(0);
});

test('a flood of many tenants is refused, too', () => {
  const load = createLoad();
  overload(load);
  const admitted = Array.from({ length: 200 }, (_, tenant) => load.send(`T${tenant}`, 1));
  expect(admitted.filter(Boolean).length).toBeLessThan(40);
});

test('all are admitted again once one is answered in time', () => {
  const load = createLoad();
  overload(load);
  load.send('A', 40);
  load.wait(150);
  load.answer(100);
  load.send('A', 1);
  load.wait(60);
  load.answer(1);
  load.wait(200);
  load.send('A', 1);
  load.wait(200);
  expect(load.send('A', 200)).toBe(200);
});

test('a request that ends twice, as by its answer and its connection, counts once', () => {
  let now = 0;
  const shedder = new LoadShedder({ ...limits, alwaysAdmitted: 1, budgetMs: 100 }, () => now);
  const end = shedder.begin('A');
  shedder.begin('A');
  now = 150;
  end();
  end();
  now = 210;
  expect(shedder.overloadedBy('A')).toBe('tenant');
});
