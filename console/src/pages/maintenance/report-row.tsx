import type { MaintenanceReport } from '@motorpool/client';
import { Link } from '@tanstack/react-router';
import classes from '../../table/compact-row.module.css';
import { useFormats } from '../../texts/texts-provider.tsx';
import { MaintenanceState } from '../../values/maintenance-state.tsx';
import { DueDay } from './due-day.tsx';
import type { MaintenanceSearch } from './maintenance-search.ts';

/** A report in two lines. */
export function ReportRow({ report, plate }: { report: MaintenanceReport; plate: string }) {
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
      <strong>{plate}</strong>
      <MaintenanceState status={report.status} />
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
