import type { MaintenanceReport } from '@motorpool/client';
import { Link } from '@tanstack/react-router';
import { useFormats } from '../../texts/texts-provider.tsx';
import { MaintenanceState } from '../../values/maintenance-state.tsx';
import { DueDay } from './due-day.tsx';
import classes from './maintenance-page.module.css';
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
      <span className={classes.rowTitle}>{report.title}</span>
      <span className={classes.quiet}>
        <DueDay report={report} />
        {report.dueDate === undefined &&
          report.forecastDate === undefined &&
          report.dueOdometer !== undefined &&
          formats.kilometres(report.dueOdometer)}
      </span>
    </Link>
  );
}
