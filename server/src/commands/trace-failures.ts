import type { Logger } from 'pino';
import { outageLog } from '../platform/outage-log.ts';

/** Logs that traces do not reach the collector: at once, and then at intervals. */
export function traceFailureLog(logger: Logger): (reason: string) => void {
  const logOutage = outageLog();
  return (reason) =>
    logOutage('traces cannot be exported', reason, (fields, message) =>
      logger.warn(fields, message),
    );
}
