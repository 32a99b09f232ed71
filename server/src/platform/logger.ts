import cluster from 'node:cluster';
import { type Logger, pino } from 'pino';
import { batchedLogWriter } from './batched-log-writer.ts';

/** Of a pipe, which keeps so much together where several processes write. */
const pipeBytes = 4_096;

export function createLogger(level: string): Logger {
  const output = pino.destination({ sync: true });
  const options = {
    level,
    base: cluster.isWorker ? { pid: process.pid } : null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: serializeError },
    redact: [
      'authorization',
      'client_secret',
      'password',
      '*.authorization',
      '*.client_secret',
      '*.password',
      '*.cookie',
    ],
  };
  return pino(
    options,
    batchedLogWriter(
      (text) => output.write(text),
      cluster.isWorker ? pipeBytes : Number.POSITIVE_INFINITY,
    ),
  );
}

/** What PostgreSQL tells of a failure besides the message: values of rows, and statements of functions. */
const rowValues = ['detail', 'where', 'internalQuery'];

export function serializeError(error: Error): object {
  const serialized = { ...pino.stdSerializers.err(error) } as Record<string, unknown>;
  for (const name of rowValues) delete serialized[name];
  if (error instanceof AggregateError)
    serialized.aggregateErrors = error.errors.map(serializeError);
  return serialized;
}
