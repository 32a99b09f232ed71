import { expect, test, vi } from 'vitest';
import { collectFrom } from './collect-metrics.ts';
import type { SupervisedProcess } from './forked-process.ts';
import type { MetricValues, Order, Report } from './messages.ts';

test('metrics that cannot be summed are told of, and whoever asked is answered: nothing ends', async () => {
  const orders: Order[] = [];
  const listeners: ((report: Report) => void)[] = [];
  const report = (one: Report) => {
    for (const listener of listeners) listener(one);
  };
  const nonsense = [null] as unknown as MetricValues;
  const one: SupervisedProcess = {
    id: 1,
    pid: 1,
    ready: Promise.resolve({ url: '' }),
    ended: new Promise(() => {}),
    isReady: true,
    isStopping: false,
    send(order) {
      orders.push(order);
      if (order.kind === 'collect') report({ kind: 'collected', id: order.id, values: nonsense });
    },
    onReport: (listener) => void listeners.push(listener),
    stop: async () => {},
    kill() {},
  };
  const errors: unknown[] = [];
  const metrics = collectFrom(new Set([one]), (error) => errors.push(error));
  metrics.serve(one);
  report({ kind: 'sum', id: 7 });
  await vi.waitFor(() => expect(orders).toContainEqual({ kind: 'summed', id: 7 }));
  expect(errors).toHaveLength(1);
  metrics.retire(one);
  expect(errors).toHaveLength(2);
});
