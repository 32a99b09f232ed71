import { isUnavailable } from '../platform/db/unavailable.ts';
import { UserError } from '../platform/user-error.ts';

/** What is said of an error that ends a command. */
export function failureMessage(error: unknown): string {
  if (error instanceof UserError) return error.message;
  if (isUnavailable(error)) return `The database cannot be used: ${(error as Error).message}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
