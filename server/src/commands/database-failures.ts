import type { Logger } from 'pino';
import { outageLog } from '../platform/outage-log.ts';

/** Logs lost connections, and why an embedded server that has died does not start again. */
export function databaseFailureLog(logger: Logger): (error: Error) => void {
  const logOutage = outageLog();
  return (error) =>
    logOutage('the database cannot be used', error, (fields, message) =>
      logger.warn(fields, message),
    );
}
