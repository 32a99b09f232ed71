import cluster from 'node:cluster';
import { UserError } from '../user-error.ts';
import type { Addresses, Order, Report } from './messages.ts';

export type SupervisedProcess = {
  /** Larger for a later one. */
  id: number;
  pid: number | undefined;
  /** Rejects when it fails, or ends, before it serves. */
  ready: Promise<Addresses>;
  ended: Promise<{ code: number | null; signal: string | null }>;
  readonly isReady: boolean;
  readonly isStopping: boolean;
  send(order: Order): void;
  onReport(listener: (report: Report) => void): void;
  /** Lets it finish what it does, and kills it after the limit. */
  stop(): Promise<void>;
  kill(): void;
};

export function forkProcess(stopLimitMs: number): SupervisedProcess {
  const worker = cluster.fork();
  const ready = Promise.withResolvers<Addresses>();
  // Whoever waits for it is told; nobody may.
  ready.promise.catch(() => {});
  const ended = Promise.withResolvers<{ code: number | null; signal: string | null }>();
  let isReady = false;
  let isStopping = false;
  const send = (order: Order) => {
    // It may be about to end.
    if (worker.isConnected()) worker.send(order, () => {});
  };
  const kill = () => void worker.process.kill('SIGKILL');
  worker.on('error', () => {});
  worker.on('message', (report: Report) => {
    if (report.kind === 'ready') {
      isReady = true;
      ready.resolve(report);
    }
    if (report.kind === 'leaving') send({ kind: 'dismissed' });
    if (report.kind === 'failed') ready.reject(new UserError(report.message));
  });
  worker.on('exit', (code, signal) => {
    ready.reject(
      new UserError(`A process of the service ended with ${signal ?? code} while it started.`),
    );
    ended.resolve({ code, signal });
  });
  return {
    id: worker.id,
    pid: worker.process.pid,
    ready: ready.promise,
    ended: ended.promise,
    get isReady() {
      return isReady;
    },
    get isStopping() {
      return isStopping;
    },
    send,
    onReport: (listener) => void worker.on('message', listener),
    async stop() {
      isStopping = true;
      send({ kind: 'stop' });
      const limit = setTimeout(kill, stopLimitMs);
      await ended.promise;
      clearTimeout(limit);
    },
    kill,
  };
}
