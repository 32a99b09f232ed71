import type { MetricObjectWithValues, MetricValue } from 'prom-client';

export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

export type Addresses = { url: string; metricsUrl?: string | undefined };

/** From the supervisor to a process. */
export type Order =
  | { kind: 'stop' }
  /** One process at a time reads the metrics that the database has. */
  | { kind: 'collect'; id: number; readsDatabase: boolean }
  /** Without a text, they could not be summed. */
  | { kind: 'summed'; id: number; text?: string }
  /** It is handed no connection any more. */
  | { kind: 'dismissed' };

/** From a process to the supervisor. */
export type Report =
  | ({ kind: 'ready' } & Addresses)
  | { kind: 'failed'; message: string }
  | { kind: 'collected'; id: number; values: MetricValues }
  | { kind: 'sum'; id: number }
  | { kind: 'leaving' }
  | { kind: 'left' };
