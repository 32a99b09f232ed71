import type { Motorpool } from '@motorpool/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKey } from '../../fleet/queries.ts';
import { addDays, dayOf } from '../../formats/days.ts';
import type { FleetPart } from './fleet-filters.ts';
import type { NeedKind } from './need-kinds.ts';
import { type Trend, trend, weekDays } from './trend.ts';

export type Counted = NeedKind | FleetPart;

const pagination = { pageSize: 1_000 };

/** The numbers of which the interface tells all that were new, also those that are over since: docs/decisions/0060-console-records.md. */
const readers: Partial<
  Record<Counted, (fleet: Motorpool, from: string, signal: AbortSignal) => Promise<string[]>>
> = {
  mustNotDrive: (fleet, from, signal) => incidents(fleet, from, signal, false),
  incident: (fleet, from, signal) => incidents(fleet, from, signal, true),
  invoice: async (fleet, from, signal) => {
    const filters = [{ field: 'createdAt', operator: 'gte' as const, value: startOf(from) }];
    const { items } = await fleet.invoices.find({ filters, pagination }, { signal }).page();
    return items.map(({ createdAt }) => dayOf(new Date(createdAt)));
  },
};

async function incidents(fleet: Motorpool, from: string, signal: AbortSignal, operable: boolean) {
  const filters = [
    { field: 'reportTimestamp', operator: 'gte' as const, value: startOf(from) },
    { field: 'vehicleOperable', value: operable },
  ];
  const { items } = await fleet.incidents.findInFleet({ filters, pagination }, { signal }).page();
  return items.map(({ reportTimestamp }) => dayOf(new Date(reportTimestamp)));
}

const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

const names = {
  mustNotDrive: 'incident',
  incident: 'incident',
  invoice: 'invoice',
} as const;

/** Disabled for numbers of which nobody knows what they were. */
export function trendOf(fleet: Motorpool, counted: Counted) {
  const read = readers[counted];
  const today = dayOf(new Date());
  const from = addDays(today, 1 - 2 * weekDays);
  return queryOptions({
    queryKey: queryKey(names[counted as keyof typeof names] ?? 'vehicle', 'trend', counted, today),
    queryFn: async ({ signal }): Promise<Trend> =>
      trend((await read?.(fleet, from, signal)) ?? [], from),
    enabled: read !== undefined,
    staleTime: 300_000,
  });
}
