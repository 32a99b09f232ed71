import type { IncidentDamage } from '@motorpool/client';

const open = 'isResolved:eq:false';

/** Incidents that have a number on the overview, as the table of incidents filters them. */
export const incidentFilters = {
  mustNotDrive: [open, 'vehicleOperable:eq:false'],
  incident: [open, 'vehicleOperable:eq:true'],
};

export const severityFilter = (severity: IncidentDamage['severity']): string[] => [
  open,
  `damages.severity:eq:${severity}`,
];
