import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { buildInfo } from './build-info.ts';

/** All metrics of the process; what they count stands beside it. */
export const metrics = new Registry();

collectDefaultMetrics({ register: metrics });
// Of several processes, the slowest counts.
for (const metric of metrics.getMetricsAsArray()) {
  if (metric.name.startsWith('nodejs_eventloop_lag_')) metric.aggregator = 'max';
}

new Gauge({
  name: 'motorpool_build_info',
  help: 'Always 1; its labels tell which version and commit run',
  labelNames: Object.keys(buildInfo),
  aggregator: 'first',
  registers: [metrics],
}).set(buildInfo, 1);

/** Each process is one, so that the sum of several is their number. */
new Gauge({ name: 'motorpool_processes', help: 'Processes that serve', registers: [metrics] }).set(
  1,
);

/** Counted by a supervisor. */
export const processRestarts = new Counter({
  name: 'motorpool_process_restarts_total',
  help: 'Processes that ended unasked and were replaced',
  registers: [metrics],
});
