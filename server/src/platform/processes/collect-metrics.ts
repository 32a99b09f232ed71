import { setTimeout as sleep } from 'node:timers/promises';
import { metricsRestMs } from '../http/metrics.ts';
import { processRestarts } from '../metrics.ts';
import { shareRunning } from '../share-running.ts';
import type { SupervisedProcess } from './forked-process.ts';
import type { MetricValues } from './messages.ts';
import { SummedMetrics } from './summed-metrics.ts';

/** A process that does not answer in this time counts as it did before. */
const limitMs = 2_000;

/** Answers each process that asks for the sum of the metrics of all. What fails is told: the supervisor goes on. */
export function collectFrom(
  running: ReadonlySet<SupervisedProcess>,
  onError: (error: unknown) => void,
) {
  const sum = new SummedMetrics();
  const waiting = new Map<number, () => void>();
  let lastId = 0;

  async function collect(one: SupervisedProcess, readsDatabase: boolean): Promise<void> {
    lastId += 1;
    const id = lastId;
    const collected = new Promise<void>((resolve) => waiting.set(id, resolve));
    one.send({ kind: 'collect', id, readsDatabase });
    const timeout = new AbortController();
    const late = sleep(limitMs, undefined, { signal: timeout.signal }).catch(() => {});
    await Promise.race([collected, one.ended, late]);
    timeout.abort();
    waiting.delete(id);
  }

  const text = shareRunning(
    async () => {
      // Always the oldest: what another has read of the database before would be counted twice.
      const serving = [...running].filter(({ isReady }) => isReady);
      const oldest = Math.min(...serving.map(({ id }) => id));
      await Promise.all(serving.map((one) => collect(one, one.id === oldest)));
      return sum.text([await processRestarts.get()] as MetricValues);
    },
    { restMs: metricsRestMs },
  );

  return {
    serve(one: SupervisedProcess): void {
      one.onReport((report) => {
        if (report.kind === 'collected') {
          sum.set(one.id, report.values);
          waiting.get(report.id)?.();
        }
        if (report.kind === 'sum') {
          const { id } = report;
          text().then(
            (summed) => one.send({ kind: 'summed', id, text: summed }),
            (error) => {
              onError(error);
              one.send({ kind: 'summed', id });
            },
          );
        }
      });
    },
    retire(one: SupervisedProcess): void {
      try {
        sum.retire(one.id);
      } catch (error) {
        onError(error);
      }
    },
  };
}
