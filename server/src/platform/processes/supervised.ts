import cluster from 'node:cluster';
import { metrics } from '../metrics.ts';
import type { Addresses, Order, Report } from './messages.ts';

/** The side of a process that a supervisor has started. */
export type Supervised = {
  ready(addresses: Addresses): void;
  /** Resolves when it is sent. */
  failed(message: string): Promise<void>;
  onStop(stop: () => void): void;
  /** Of all processes. */
  summedMetrics(): Promise<string>;
  /** How this process updates the metrics that are read in the database. */
  updateMetricsWith(update: () => Promise<void>): void;
  /** Hands over what this process has counted, and connections that came after it stopped listening, which would have no answer. */
  leave(): Promise<void>;
};

/** Undefined in a process that no supervisor has started. */
export function joinSupervisor(): Supervised | undefined {
  if (!cluster.isWorker) return undefined;
  const waiting = new Map<number, (text: string | undefined) => void>();
  let lastId = 0;
  let update = async () => {};
  const send = (report: Report) =>
    new Promise<void>((resolve) => {
      // A supervisor that has ended ends this process as well.
      if (process.connected) process.send?.(report, undefined, {}, () => resolve());
      else resolve();
    });
  const answer = async (id: number, readsDatabase: boolean) => {
    if (readsDatabase) await update();
    await send({ kind: 'collected', id, values: await metrics.getMetricsAsJSON() });
  };
  process.on('message', (order: Order) => {
    if (order.kind === 'collect') void answer(order.id, order.readsDatabase);
    if (order.kind === 'summed') {
      waiting.get(order.id)?.(order.text);
      waiting.delete(order.id);
    }
  });
  return {
    ready: (addresses) => void send({ kind: 'ready', ...addresses }),
    failed: (message) => send({ kind: 'failed', message }),
    onStop: (stop) =>
      void process.on('message', (order: Order) => {
        if (order.kind === 'stop') stop();
      }),
    summedMetrics: () =>
      new Promise((resolve, reject) => {
        lastId += 1;
        waiting.set(lastId, (text) => {
          if (text === undefined)
            reject(new Error('the metrics of all processes cannot be summed'));
          else resolve(text);
        });
        void send({ kind: 'sum', id: lastId });
      }),
    updateMetricsWith(wanted) {
      update = wanted;
    },
    async leave() {
      await answer(0, false);
      const dismissed = new Promise<void>((resolve) => {
        process.on('message', (order: Order) => order.kind === 'dismissed' && resolve());
        process.once('disconnect', resolve);
        if (!process.connected) resolve();
      });
      await send({ kind: 'leaving' });
      await dismissed;
      // Connections that came until then are handed back before this.
      await send({ kind: 'left' });
    },
  };
}
