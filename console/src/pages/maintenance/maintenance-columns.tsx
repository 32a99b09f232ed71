import type { MaintenanceReport } from '@motorpool/client';
import { useMemo } from 'react';
import type { useVehicles } from '../../fleet/named-vehicles.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import type { Column } from '../../table/data-table.tsx';
import { useLocalization } from '../../texts/texts-provider.tsx';
import { MaintenanceState } from '../../values/maintenance-state.tsx';
import { Plate } from '../../values/plate.tsx';
import { DueDay } from './due-day.tsx';
import { shortReason } from './due-reasons.ts';
import { type MaintenanceSearch, soonestOf } from './maintenance-search.ts';

export const shownColumns = ['title', 'vehicle', 'status', 'soonest', 'odometer', 'reason', 'done'];

export function useMaintenanceColumns(
  vehicles: ReturnType<typeof useVehicles>,
): Column<MaintenanceReport>[] {
  const { texts, formats } = useLocalization();
  return useMemo(() => {
    const { columns, fields } = texts.maintenance;
    const { vehicleById, plateById } = vehicles;
    return [
      {
        id: 'title',
        header: columns.title,
        width: 240,
        sortField: 'title',
        cell: (report) => (
          <AnchorLink
            to="/maintenance"
            search={(current: MaintenanceSearch) => ({
              ...current,
              report: report.id,
              vehicle: report.vehicleId,
            })}
            data-row
            fw={500}
          >
            {report.title}
          </AnchorLink>
        ),
        csv: ({ title }) => title,
      },
      {
        id: 'vehicle',
        header: columns.vehicle,
        width: 130,
        sortField: 'vehicleId',
        cell: ({ vehicleId }) => (
          <AnchorLink to="/vehicles/$vehicleId" params={{ vehicleId }}>
            <Plate plate={plateById(vehicleId)} />
          </AnchorLink>
        ),
        csv: ({ vehicleId }) => plateById(vehicleId) ?? vehicleId,
      },
      {
        id: 'status',
        header: columns.status,
        width: 170,
        sortField: 'status',
        cell: (report) => (
          <MaintenanceState
            report={report}
            odometer={vehicleById(report.vehicleId)?.status.odometer}
          />
        ),
        csv: ({ status }) => status,
      },
      {
        id: 'soonest',
        header: columns.soonest,
        width: 140,
        sortField: 'dueDate',
        isNumeric: true,
        cell: (report) => <DueDay report={report} />,
        csv: soonestOf,
      },
      {
        id: 'odometer',
        header: fields.dueOdometer,
        width: 120,
        sortField: 'dueOdometer',
        isNumeric: true,
        cell: ({ dueOdometer }) => dueOdometer !== undefined && formats.kilometres(dueOdometer),
        csv: ({ dueOdometer }) => dueOdometer,
      },
      {
        id: 'reason',
        header: columns.reason,
        width: 260,
        grows: true,
        cell: (report) => shortReason(report, { texts, formats }),
        csv: (report) => shortReason(report, { texts, formats }),
      },
      {
        id: 'done',
        header: fields.lastDoneDate,
        width: 150,
        sortField: 'lastDoneDate',
        isNumeric: true,
        cell: ({ lastDoneDate }) => lastDoneDate && formats.date(lastDoneDate),
        csv: ({ lastDoneDate }) => lastDoneDate,
      },
    ];
  }, [texts, formats, vehicles]);
}
