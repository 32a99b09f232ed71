import type { TelemetryCost } from '../parts/telemetry-cost.ts';
import { figure, table } from './numbers.ts';

const vehicles = 10_000_000;
const messagesPerSecond = vehicles / 60;
const gigabyte = 1e9;

/** What a message was measured to take, and what a message a minute of ten million vehicles takes at that. */
export function telemetryTables(costs: readonly TelemetryCost[]): string {
  const measured = costs.map(({ label, perSecond, serviceUs, databaseUs, ...bytes }) => [
    label,
    figure(perSecond),
    figure(serviceUs),
    figure(databaseUs),
    figure(bytes.walBytes),
    figure(bytes.historyBytes),
  ]);
  const perDay = (bytesOfOne: number) =>
    `${figure((bytesOfOne * messagesPerSecond * 86_400) / gigabyte)} GB`;
  const needed = costs.map(({ label, serviceUs, databaseUs, walBytes, historyBytes }) => [
    label,
    figure((serviceUs * messagesPerSecond) / 1e6),
    figure((databaseUs * messagesPerSecond) / 1e6),
    perDay(walBytes),
    perDay(historyBytes),
  ]);
  return [
    table(
      [
        'measured',
        'messages a second',
        'µs of the service, a message',
        'µs of PostgreSQL',
        'bytes of WAL',
        'bytes of history',
      ],
      measured,
    ),
    table(
      [
        `${vehicles.toLocaleString('en')} vehicles, by`,
        'cores of the service',
        'cores of PostgreSQL',
        'WAL a day',
        'history a day',
      ],
      needed,
    ),
  ].join('\n\n');
}
