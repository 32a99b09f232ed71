import type { Filter, FindAuditEventsRequest } from '@motorpool/client';
import { boundsOfDay, parseDay } from '../../../formats/days.ts';
import type { SettingsSearch } from '../settings-search.ts';

export const auditPageSize = 50;

/** What the trail of an address asks the service for; it names an actor as `user:anna` or `client:erp`. */
export function auditRequest(search: SettingsSearch, provider: string): FindAuditEventsRequest {
  const { actor, record, type, action, from, to, page = 0 } = search;
  const filters: Filter[] = [];
  const add = (field: string, operator: Filter['operator'], value: unknown) =>
    filters.push({ field, operator, value } as Filter);
  if (actor?.startsWith('user:')) add('actor.username', 'eq', actor.slice(5));
  if (actor?.startsWith('client:')) add('actor.clientId', 'eq', actor.slice(7));
  if (record) {
    const isVehicle = record.startsWith(`${provider.replace('-', '*')}*`);
    add(isVehicle ? 'vehicleId' : 'recordId', 'eq', record);
  }
  if (type) add('type', 'eq', type);
  if (action) add('action', 'eq', action);
  const [first, last] = [parseDay(from), parseDay(to)];
  if (first) add('occurredAt', 'gte', boundsOfDay(first).from);
  if (last) add('occurredAt', 'lt', boundsOfDay(last).to);
  return { filters, pagination: { pageNumber: page, pageSize: auditPageSize } };
}
