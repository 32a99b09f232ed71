import type { Filter, Motorpool } from '@motorpool/client';
import { queryOptions, useQueries } from '@tanstack/react-query';
import { queryKey } from '../../fleet/queries.ts';
import { useFleet } from '../../session/connection.tsx';
import { plateOf } from '../../values/vehicle-names.ts';
import { vehiclesRequest } from '../vehicles/vehicles-request.ts';
import { fleetFilters } from './fleet-filters.ts';
import { type NeedKind, needKinds } from './need-kinds.ts';

/** Something that somebody should look at. */
export type Need = {
  id: string;
  kind: NeedKind;
  title: string;
  vehicleId?: string | undefined;
  plate?: string | undefined;
  /** When it is due, or was reported. */
  date?: string | undefined;
  dueOdometer?: number | undefined;
  level?: number | undefined;
  /** Whether the amount is credited. */
  isCreditNote?: boolean | undefined;
  amount?: { minor: number; currency: string } | undefined;
};

type Found = { total: number; items: Need[] };

const maxItems = 50;
const pagination = { pageSize: maxItems };

function incidents(fleet: Motorpool, kind: 'mustNotDrive' | 'incident') {
  const filters: Filter[] = [
    { field: 'isResolved', value: false },
    { field: 'vehicleOperable', value: kind === 'incident' },
  ];
  return queryOptions({
    queryKey: queryKey('incident', 'needs', kind),
    queryFn: async ({ signal }): Promise<Found> => {
      const sorting = [{ field: 'reportTimestamp', direction: 'desc' as const }];
      const request = { filters, sorting, pagination };
      const { items, pagination: found } = await fleet.incidents
        .findInFleet(request, { signal })
        .page();
      return {
        total: found.totalEntries,
        items: items.map(({ id, title, vehicleId, reportTimestamp }) => ({
          id,
          kind,
          title,
          vehicleId,
          date: reportTimestamp,
        })),
      };
    },
  });
}

function maintenance(fleet: Motorpool, kind: 'overdue' | 'dueSoon') {
  const status = kind === 'overdue' ? 'overdue' : 'due_soon';
  return queryOptions({
    queryKey: queryKey('maintenance-report', 'needs', kind),
    queryFn: async ({ signal }): Promise<Found> => {
      // The soonest first, also of what is due by distance alone.
      const { items, pagination: found } = await fleet.maintenance.findPlanned(
        { filters: [{ field: 'status', value: status }], pagination },
        { signal },
      );
      return {
        total: found.totalEntries,
        items: Object.values(items).map(({ id, title, vehicleId, dueDate, dueOdometer }) => ({
          id,
          kind,
          title,
          vehicleId,
          date: dueDate,
          dueOdometer,
        })),
      };
    },
  });
}

function lowBatteries(fleet: Motorpool) {
  return queryOptions({
    queryKey: queryKey('vehicle', 'needs', 'batteryLow'),
    queryFn: async ({ signal }): Promise<Found> => {
      const request = { ...vehiclesRequest({ filter: fleetFilters.batteryLow }), pagination };
      const { items, pagination: found } = await fleet.vehicles
        .find({ ...request, sorting: [{ field: 'status.fuelLevel' }] }, { signal })
        .page();
      return {
        total: found.totalEntries,
        items: items.map((vehicle) => ({
          id: vehicle.asset.id,
          kind: 'batteryLow',
          title: [vehicle.information.vendor, vehicle.information.model].filter(Boolean).join(' '),
          vehicleId: vehicle.asset.id,
          plate: plateOf(vehicle),
          date: vehicle.status.lastUpdated,
          level: vehicle.status.fuelLevel,
        })),
      };
    },
    refetchInterval: 60_000,
  });
}

function invoices(fleet: Motorpool) {
  return queryOptions({
    queryKey: queryKey('invoice', 'needs'),
    queryFn: async ({ signal }): Promise<Found> => {
      const { items, pagination: found } = await fleet.invoices
        .find(
          {
            filters: [{ field: 'status', value: 'open' }],
            sorting: [{ field: 'dueDate' }],
            pagination,
          },
          { signal },
        )
        .page();
      return {
        total: found.totalEntries,
        items: items.map(({ id, type, number, supplier, dueDate, totals, currency }) => ({
          id,
          kind: 'invoice',
          title: [supplier?.name, number].filter(Boolean).join(' · '),
          date: dueDate,
          isCreditNote: type === 'credit_note',
          amount:
            totals?.payableAmount !== undefined && currency !== undefined
              ? { minor: totals.payableAmount, currency }
              : undefined,
        })),
      };
    },
  });
}

/** What is open of each kind; undefined while it is loading. */
export function useNeeds() {
  const fleet = useFleet();
  const results = useQueries({
    queries: [
      incidents(fleet, 'mustNotDrive'),
      maintenance(fleet, 'overdue'),
      lowBatteries(fleet),
      incidents(fleet, 'incident'),
      maintenance(fleet, 'dueSoon'),
      invoices(fleet),
    ],
  });
  const found = Object.fromEntries(
    needKinds.map((kind, index) => [kind, results[index]?.data]),
  ) as Record<NeedKind, Found | undefined>;
  return {
    found,
    error: results.find(({ error }) => error)?.error,
    refetch: () => Promise.all(results.map(({ refetch }) => refetch())),
  };
}
