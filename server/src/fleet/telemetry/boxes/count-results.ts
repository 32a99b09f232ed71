import { messagesByResult } from '../../../platform/mqtt/mqtt-metrics.ts';
import type { BoxResult } from './store-deliveries.ts';

export function countResults(results: readonly BoxResult[]): void {
  for (const { result, reason = '' } of results) messagesByResult.inc({ result, reason });
}
