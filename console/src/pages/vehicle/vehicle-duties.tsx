import type { Incident, Vehicle } from '@motorpool/client';
import { useQuery } from '@tanstack/react-query';
import { InlineProblem } from '../../feedback/problem.tsx';
import { Bone, Delayed } from '../../feedback/skeleton.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { MaintenanceState } from '../../values/maintenance-state.tsx';
import { useNow } from '../../values/now.ts';
import { StateBadge } from '../../values/state-badge.tsx';
import { Severity, worstOf } from '../incident/severity.tsx';
import classes from './vehicle-page.module.css';

const maxItems = 5;

/** What is open for a vehicle: incidents, and the next maintenance. */
export function VehicleDuties({ vehicle }: { vehicle: Vehicle }) {
  const { vehicle: texts } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const now = useNow();
  const vehicleId = vehicle.asset.id;
  const { data: incidents, error: incidentsError } = useQuery({
    queryKey: queryKey('incident', 'open', vehicleId),
    queryFn: ({ signal }) =>
      fleet.incidents
        .find(
          vehicleId,
          {
            filters: [{ field: 'isResolved', value: false }],
            sorting: [{ field: 'reportTimestamp', direction: 'desc' }],
            pagination: { pageSize: maxItems },
          },
          { signal },
        )
        .page(),
  });
  const { data: maintenance, error: maintenanceError } = useQuery({
    queryKey: queryKey('maintenance-report', 'next', vehicleId),
    queryFn: ({ signal }) =>
      fleet.maintenance
        // The soonest first, also of what is due by distance alone.
        .find(vehicleId, { pagination: { pageSize: maxItems } }, { signal })
        .page(),
  });
  return (
    <>
      <Panel title={texts.openIncidents} count={incidents?.pagination.totalEntries}>
        {!incidents && (incidentsError ? <InlineProblem error={incidentsError} /> : <Loading />)}
        {incidents?.items.length === 0 && <p className={classes.nothing}>{texts.noIncidents}</p>}
        <ul className={classes.duties}>
          {incidents?.items.map(({ id, title, vehicleOperable, damages, reportTimestamp }) => (
            <li key={id}>
              <AnchorLink
                to="/incidents/$vehicleId/$incidentId"
                params={{ vehicleId, incidentId: id }}
                className={classes.dutyTitle}
              >
                {title}
              </AnchorLink>
              {vehicleOperable ? (
                <WorstDamage damages={damages} />
              ) : (
                <StateBadge tone="danger" icon="ban" text={texts.mustNotDrive} />
              )}
              <time dateTime={reportTimestamp} className={classes.dutyTime}>
                {formats.age(reportTimestamp, now)}
              </time>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={texts.nextMaintenance} count={maintenance?.pagination.totalEntries}>
        {!maintenance &&
          (maintenanceError ? <InlineProblem error={maintenanceError} /> : <Loading />)}
        {maintenance?.items.length === 0 && (
          <p className={classes.nothing}>{texts.noMaintenance}</p>
        )}
        <ul className={classes.duties}>
          {maintenance?.items.map((report) => (
            <li key={report.id}>
              <AnchorLink
                to="/vehicles/$vehicleId/$tab"
                params={{ vehicleId, tab: 'maintenance' }}
                search={{ report: report.id }}
                className={classes.dutyTitle}
              >
                {report.title}
              </AnchorLink>
              <MaintenanceState report={report} odometer={vehicle.status.odometer} />
              <span className={classes.dutyTime}>
                {report.dueDate
                  ? formats.date(report.dueDate)
                  : report.dueOdometer !== undefined &&
                    texts.at(formats.kilometres(report.dueOdometer))}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}

function WorstDamage({ damages }: Pick<Incident, 'damages'>) {
  const worst = worstOf(damages);
  return worst && <Severity level={worst} />;
}

function Loading() {
  return (
    <Delayed>
      <Bone width="70%" />
    </Delayed>
  );
}
