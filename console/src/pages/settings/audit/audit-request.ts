import type { Filter, FindAuditEventsRequest } from '@motorpool/client';
import type { SettingsSearch } from '../settings-search.ts';

export const auditPageSize = 50;

const dayMs = 86_400_000;

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
  if (isDay(from)) add('occurredAt', 'gte', startOf(from).toISOString());
  if (isDay(to)) add('occurredAt', 'lt', new Date(startOf(to).getTime() + dayMs).toISOString());
  return { filters, pagination: { pageNumber: page, pageSize: auditPageSize } };
}

/** Of a day where the person is. */
const startOf = (day: string): Date => new Date(`${day}T00:00:00`);

/** Not what somebody may have typed into the address. */
const isDay = (day: string | undefined): day is string =>
  day !== undefined && !Number.isNaN(startOf(day).getTime());
