import type { MaintenanceReport } from '@motorpool/client';
import { Link } from '@tanstack/react-router';
import type { useVehicles } from '../../fleet/named-vehicles.ts';
import classes from '../../table/compact-row.module.css';
import { useFormats } from '../../texts/texts-provider.tsx';
import { MaintenanceState } from '../../values/maintenance-state.tsx';
import { Plate } from '../../values/plate.tsx';
import { DueDay } from './due-day.tsx';
import type { MaintenanceSearch } from './maintenance-search.ts';

type Props = { report: MaintenanceReport; vehicles: ReturnType<typeof useVehicles> };

/** A report in two lines. */
export function ReportRow({ report, vehicles }: Props) {
  const formats = useFormats();
  return (
    <Link
      to="/maintenance"
      search={(current: MaintenanceSearch) => ({
        ...current,
        report: report.id,
        vehicle: report.vehicleId,
      })}
      className={classes.row}
      data-row
    >
      <strong>
        <Plate plate={vehicles.plateById(report.vehicleId)} />
      </strong>
      <MaintenanceState
        report={report}
        odometer={vehicles.vehicleById(report.vehicleId)?.status.odometer}
      />
      <span className={classes.second}>{report.title}</span>
      <span className={classes.aside}>
        <DueDay report={report} />
        {report.dueDate === undefined &&
          report.forecastDate === undefined &&
          report.dueOdometer !== undefined &&
          formats.kilometres(report.dueOdometer)}
      </span>
    </Link>
  );
}
