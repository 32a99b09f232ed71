import type { Motorpool } from '@motorpool/client';
import { queryOptions } from '@tanstack/react-query';
import { queryKey } from '../../fleet/queries.ts';
import { addDays, dayOf } from '../../formats/days.ts';
import type { FleetPart } from './fleet-filters.ts';
import type { NeedKind } from './need-kinds.ts';
import { type Trend, trend, weekDays } from './trend.ts';

export type Counted = NeedKind | FleetPart;

const pagination = { pageSize: 1_000 };

/** The numbers of which the interface can tell when each began. */
const readers: Partial<
  Record<Counted, (fleet: Motorpool, from: string, signal: AbortSignal) => Promise<string[]>>
> = {
  mustNotDrive: (fleet, from, signal) => incidents(fleet, from, signal, false),
  incident: (fleet, from, signal) => incidents(fleet, from, signal, true),
  overdue: async (fleet, from, signal) => {
    const { items } = await fleet.maintenance.findPlanned(
      {
        filters: [
          { field: 'status', value: 'overdue' },
          { field: 'dueDate', operator: 'gte', value: addDays(from, -1) },
        ],
        pagination,
      },
      { signal },
    );
    // On the day after it was due.
    return Object.values(items).flatMap(({ dueDate }) => (dueDate ? [addDays(dueDate, 1)] : []));
  },
  invoice: async (fleet, from, signal) => {
    const filters = [{ field: 'createdAt', operator: 'gte' as const, value: startOf(from) }];
    const { items } = await fleet.invoices.find({ filters, pagination }, { signal }).page();
    return items.map(({ createdAt }) => dayOf(new Date(createdAt)));
  },
  charging: async (fleet, from, signal) => {
    const totals = await fleet.charging
      .findTotals({ from, groupBy: ['day'] }, { signal })
      .toArray();
    return totals.flatMap(({ day = '', sessionCount }) => Array<string>(sessionCount).fill(day));
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
  overdue: 'maintenance-report',
  invoice: 'invoice',
  charging: 'charging-session',
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
