import type { FleetIncident } from '@motorpool/client';
import { Link } from '@tanstack/react-router';
import classes from '../../table/compact-row.module.css';
import { Age } from '../../values/age.tsx';
import { IncidentState } from '../incident/incident-state.tsx';

/** An incident in two lines. */
export function IncidentRow({ incident }: { incident: FleetIncident }) {
  const { id, vehicleId, licensePlate, title, reportTimestamp } = incident;
  return (
    <Link
      to="/incidents/$vehicleId/$incidentId"
      params={{ vehicleId, incidentId: id }}
      className={classes.row}
      data-row
    >
      <strong>{title}</strong>
      <IncidentState incident={incident} />
      <span className={classes.second}>{licensePlate ?? vehicleId}</span>
      <span className={classes.aside}>
        <Age at={reportTimestamp} />
      </span>
    </Link>
  );
}
