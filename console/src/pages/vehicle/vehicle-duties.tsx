import { useQuery } from '@tanstack/react-query';
import { InlineProblem } from '../../feedback/problem.tsx';
import { queryKey } from '../../fleet/queries.ts';
import { AnchorLink } from '../../layout/anchor-link.tsx';
import { Panel } from '../../layout/panel.tsx';
import { useFleet } from '../../session/connection.tsx';
import { useFormats, useTexts } from '../../texts/texts-provider.tsx';
import { MaintenanceState } from '../../values/maintenance-state.tsx';
import { useNow } from '../../values/now.ts';
import { StateBadge, type StateTone } from '../../values/state-badge.tsx';
import classes from './vehicle-page.module.css';

const maxItems = 5;

const severityTones: Record<string, StateTone> = {
  light: 'neutral',
  moderate: 'warning',
  high: 'danger',
};

/** What is open for a vehicle: incidents, and the next maintenance. */
export function VehicleDuties({ vehicleId }: { vehicleId: string }) {
  const { vehicle: texts, severities } = useTexts();
  const formats = useFormats();
  const fleet = useFleet();
  const now = useNow();
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
        .find(
          vehicleId,
          {
            sorting: [{ field: 'dueDate' }],
            pagination: { pageSize: maxItems },
          },
          { signal },
        )
        .page(),
  });
  return (
    <>
      <Panel title={texts.openIncidents} count={incidents?.pagination.totalEntries}>
        {incidentsError && !incidents && <InlineProblem error={incidentsError} />}
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
                <Severity of={damages?.filter(({ repaired }) => !repaired) ?? []} />
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
        {maintenanceError && !maintenance && <InlineProblem error={maintenanceError} />}
        {maintenance?.items.length === 0 && (
          <p className={classes.nothing}>{texts.noMaintenance}</p>
        )}
        <ul className={classes.duties}>
          {maintenance?.items.map(({ id, title, status, dueDate, dueOdometer }) => (
            <li key={id}>
              <span className={classes.dutyTitle}>{title}</span>
              <MaintenanceState status={status} />
              <span className={classes.dutyTime}>
                {dueDate
                  ? formats.date(dueDate)
                  : dueOdometer !== undefined && texts.at(formats.kilometres(dueOdometer))}
              </span>
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );

  function Severity({ of }: { of: readonly { severity: 'light' | 'moderate' | 'high' }[] }) {
    const worst = (['high', 'moderate', 'light'] as const).find((one) =>
      of.some(({ severity }) => severity === one),
    );
    if (!worst) return null;
    return (
      <StateBadge
        tone={severityTones[worst] ?? 'neutral'}
        icon="triangle-alert"
        text={severities[worst]}
      />
    );
  }
}
