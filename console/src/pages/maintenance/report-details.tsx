import { Title } from '@mantine/core';
import type { MaintenanceReport } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { useVehicles } from '../../fleet/named-vehicles.ts';
import { queryKey } from '../../fleet/queries.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useLocalization } from '../../texts/texts-provider.tsx';
import { MaintenanceState } from '../../values/maintenance-state.tsx';
import { useNow } from '../../values/now.ts';
import { Plate } from '../../values/plate.tsx';
import { dueReasons } from './due-reasons.ts';
import classes from './maintenance-page.module.css';

/** What is known of a report, and the reason for each of its days. */
export function ReportDetails({
  report,
  plate,
}: {
  report: MaintenanceReport;
  plate: string | undefined;
}) {
  const { texts, formats } = useLocalization();
  const fleet = useFleet();
  const now = useNow();
  const { maintenance } = texts;
  const { vehicleId, dueDate, dueOdometer, forecastDate, lastDoneDate, lastDoneOdometer } = report;
  const { data: inspection } = useQuery({
    queryKey: queryKey('inspection', 'one', vehicleId),
    queryFn: ({ signal }) => fleet.inspection.get(vehicleId, { signal }),
    enabled: report.source === 'inspection',
  });
  const odometer = useVehicles([vehicleId]).vehicleById(vehicleId)?.status.odometer;
  const done = [
    lastDoneDate && formats.date(lastDoneDate),
    lastDoneOdometer !== undefined && formats.kilometres(lastDoneOdometer),
  ].filter(Boolean);
  const withDays = (day: string) => `${formats.date(day)} · ${formats.days(day, now)}`;
  const rows = [
    [
      maintenance.columns.status,
      <MaintenanceState key="state" report={report} odometer={odometer} />,
    ],
    [
      maintenance.columns.vehicle,
      <AnchorLink
        key="vehicle"
        to="/vehicles/$vehicleId/$tab"
        params={{ vehicleId, tab: 'maintenance' }}
      >
        <Plate plate={plate} />
      </AnchorLink>,
    ],
    [maintenance.fields.type, maintenance.types[report.type]],
    [maintenance.fields.dueDate, dueDate && withDays(dueDate)],
    [maintenance.fields.dueOdometer, dueOdometer !== undefined && formats.kilometres(dueOdometer)],
    [maintenance.fields.forecastDate, forecastDate && withDays(forecastDate)],
    [maintenance.lastDone, done.length > 0 ? done.join(' · ') : maintenance.never],
  ] as const;
  return (
    <>
      <dl className={classes.facts}>
        {rows
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <section>
        <Title order={3}>{maintenance.why}</Title>
        <ul className={classes.reasons}>
          {dueReasons(report, { texts, formats }, inspection).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
      {report.notes && (
        <section>
          <Title order={3}>{maintenance.form.notes}</Title>
          <p className={classes.notes}>{report.notes}</p>
        </section>
      )}
    </>
  );
}
