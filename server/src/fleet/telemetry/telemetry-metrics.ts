import { Counter, Histogram } from 'prom-client';
import { metrics } from '../../platform/metrics.ts';
import type { Ingested, VehicleReading } from './vehicle-reading.ts';

const messages = new Counter({
  name: 'motorpool_telemetry_messages_total',
  help: 'Messages of vehicles that are known, by their result',
  labelNames: ['result'],
  registers: [metrics],
});

const lag = new Histogram({
  name: 'motorpool_telemetry_lag_seconds',
  help: 'Age of the newest message of each request or batch, when it was stored',
  buckets: [1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 86_400],
  registers: [metrics],
});

/** Once per batch: a message is stored in less time than it takes to observe it. */
export function measureTelemetry(
  readings: readonly VehicleReading[],
  results: readonly Ingested[],
): void {
  const counts = new Map<string, number>();
  for (const { result } of results) counts.set(result, (counts.get(result) ?? 0) + 1);
  for (const [result, count] of counts) messages.inc({ result }, count);
  let newest = Number.NEGATIVE_INFINITY;
  for (const { time } of readings) newest = Math.max(newest, time);
  if (readings.length > 0) lag.observe(Math.max(0, (Date.now() - newest) / 1_000));
}
