import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { buildInfo } from './build-info.ts';

/** All metrics of the process; what they count stands beside it. */
export const metrics = new Registry();

collectDefaultMetrics({ register: metrics });

new Gauge({
  name: 'motorpool_build_info',
  help: 'Always 1; its labels tell which version and commit run',
  labelNames: Object.keys(buildInfo),
  registers: [metrics],
}).set(buildInfo, 1);
