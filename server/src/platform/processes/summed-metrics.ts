import { AggregatorRegistry } from 'prom-client';
import type { MetricValues } from './messages.ts';

/** The metrics of several processes as those of one. */
export class SummedMetrics {
  readonly #latest = new Map<number, MetricValues>();
  #ended: MetricValues = [];

  set(process: number, values: MetricValues): void {
    this.#latest.set(process, values);
  }

  /** What it has counted still counts: a sum that falls would be taken for a restart of the whole service. */
  retire(process: number): void {
    const counted = this.#latest.get(process)?.filter(({ type }) => isCounted(type)) ?? [];
    this.#latest.delete(process);
    this.#ended = AggregatorRegistry.aggregate([
      this.#ended,
      counted,
    ]).getMetricsAsArray() as MetricValues;
  }

  text(own: MetricValues): Promise<string> {
    return AggregatorRegistry.aggregate([...this.#latest.values(), this.#ended, own]).metrics();
  }
}

/** The types of the library have numbers where its values have names. */
function isCounted(type: unknown): boolean {
  return type === 'counter' || type === 'histogram';
}
