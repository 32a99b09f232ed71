import { Gauge, Histogram } from 'prom-client';
import { metrics } from '../metrics.ts';

type Load = { inUse: number; waiting: number; size: number };

/** The pools of the process that are open. */
export const openPools = new Set<() => Load>();

const sumOf = (part: keyof Load) => [...openPools].reduce((sum, load) => sum + load()[part], 0);

function gaugeOf(name: string, help: string, part: keyof Load): void {
  new Gauge({
    name: `motorpool_database_${name}`,
    help,
    registers: [metrics],
    collect() {
      this.set(sumOf(part));
    },
  });
}

gaugeOf('connections_max', 'Connections that this process may hold to the database', 'size');
gaugeOf('connections_in_use', 'Connections that a statement or a transaction uses now', 'inUse');
gaugeOf('statements_waiting', 'Statements and transactions that wait for a connection', 'waiting');

export const statementSeconds = new Histogram({
  name: 'motorpool_database_statement_duration_seconds',
  help: 'Time from sending a statement to its result',
  buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  registers: [metrics],
});
