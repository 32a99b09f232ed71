import { useQuery } from '@tanstack/react-query';
import { queryKey } from '../../../fleet/queries.ts';
import type { IconName } from '../../../icons/icon.tsx';
import { useFleet } from '../../../session/connection.tsx';
import { useFormats } from '../../../texts/texts-provider.tsx';
import type { Happening, Lane } from './time-line.tsx';

const pagination = { pageSize: 200 };

const icons: Record<string, IconName> = {
  service: 'wrench',
  repair: 'wrench',
  tyres: 'disc-3',
  inspection: 'clipboard-check',
};

/** What the records of a vehicle tell of the time since a day. */
export function useHappened(vehicleId: string, from: string) {
  const fleet = useFleet();
  const formats = useFormats();
  const tab = (name: string) => ({
    to: '/vehicles/$vehicleId/$tab' as const,
    params: { vehicleId, tab: name },
  });
  const { data: entries = [] } = useQuery({
    queryKey: queryKey('logbook-entry', 'time-line', vehicleId, from),
    queryFn: async ({ signal }) =>
      (
        await fleet.logbook
          .find(
            vehicleId,
            {
              filters: [
                { field: 'date', operator: 'gte', value: from },
                { field: 'category', operator: 'in', value: Object.keys(icons) },
              ],
              pagination,
            },
            { signal },
          )
          .page()
      ).items,
  });
  const { data: incidents = [] } = useQuery({
    queryKey: queryKey('incident', 'time-line', vehicleId, from),
    queryFn: async ({ signal }) =>
      (
        await fleet.incidents
          .find(
            vehicleId,
            {
              filters: [{ field: 'reportTimestamp', operator: 'gte', value: `${from}T00:00:00Z` }],
              pagination,
            },
            { signal },
          )
          .page()
      ).items,
  });
  const { data: invoices = [] } = useQuery({
    queryKey: queryKey('invoice', 'time-line', vehicleId, from),
    queryFn: async ({ signal }) =>
      (
        await fleet.invoices
          .find(
            {
              filters: [
                { field: 'lines.vehicleId', value: vehicleId },
                { field: 'issueDate', operator: 'gte', value: from },
              ],
              pagination,
            },
            { signal },
          )
          .page()
      ).items,
  });
  const { data: assignments = [] } = useQuery({
    queryKey: queryKey('driver', 'time-line', vehicleId),
    queryFn: async ({ signal }) =>
      (await fleet.drivers.findAssignments(vehicleId, { pagination }, { signal }).page()).items,
  });
  const written = (categories: readonly string[]): Happening[] =>
    entries
      .filter(({ category }) => categories.includes(category))
      .map(({ id, date, title, category }) => ({
        key: id,
        day: date,
        title,
        icon: icons[category] ?? 'wrench',
        link: tab('logbook'),
      }));
  const drivers: NonNullable<Lane['periods']> = assignments
    .filter(({ removedAt }) => removedAt === undefined || removedAt >= from)
    .map(({ customer, addedAt, removedAt }) => ({
      key: `${customer?.customerId} ${addedAt}`,
      from: addedAt,
      to: removedAt,
      title: customer ? customer.customerId.slice(0, 8) : formats.day(addedAt),
    }));
  return {
    maintenance: written(['service', 'repair', 'tyres']),
    inspections: written(['inspection']),
    incidents: incidents.map(
      ({ id, reportTimestamp, title, isResolved }): Happening => ({
        key: id,
        day: reportTimestamp.slice(0, 10),
        title,
        icon: 'triangle-alert',
        ...(!isResolved && { tone: 'warning' as const }),
        link: tab('incidents'),
      }),
    ),
    invoices: invoices.map(
      ({ id, issueDate, supplier, number }): Happening => ({
        key: id,
        day: issueDate ?? from,
        title: [supplier?.name, number].filter(Boolean).join(' '),
        icon: 'receipt-text',
        link: tab('invoices'),
      }),
    ),
    drivers,
  };
}
