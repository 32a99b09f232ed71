import {
  type AuditEvent,
  auditEventOf,
  auditEvents,
  searchAuditEvents,
} from '../fleet/audit/public.ts';
import type { Queryable } from '../platform/db/database.ts';
import { parseSearch } from '../platform/search/parse-search.ts';
import { UserError } from '../platform/user-error.ts';

type Options = {
  since?: string;
  until?: string;
  type?: string;
  action?: string;
  vehicle?: string;
  record?: string;
  client?: string;
  request?: string;
  limit: number;
};

/** The newest events that the options ask for. */
export async function listAuditEvents(
  db: Queryable,
  provider: string,
  options: Options,
): Promise<AuditEvent[]> {
  const filters = [
    { field: 'occurredAt', operator: 'gte' as const, value: options.since },
    { field: 'occurredAt', operator: 'lt' as const, value: options.until },
    { field: 'type', value: options.type },
    { field: 'action', value: options.action },
    { field: 'vehicleId', value: options.vehicle },
    { field: 'recordId', value: options.record },
    { field: 'actor.clientId', value: options.client },
    { field: 'requestId', value: options.request },
  ].filter(({ value }) => value !== undefined);
  const search = parseSearch(auditEvents, { filters, pagination: { pageSize: options.limit } });
  if ('issues' in search) throw new UserError(search.issues.map(({ detail }) => detail).join(' '));
  const { rows } = await searchAuditEvents(db, provider, search.value);
  return rows.map(auditEventOf);
}
