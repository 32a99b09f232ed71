import { type FieldTable, fieldsOf } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { blobFields } from '../files/public.ts';
import { type CustomerRow, customerColumns, customerFields, customerOf } from '../users/public.ts';
import { damagePositions } from './damage-position.ts';
import { type Incident, ocrStatuses, severities } from './incident.ts';

const damages =
  'from json_to_recordset(i.damages) as d (title text, "damageType" text, severity text, repaired boolean, position text) where true';

export const incidentFields: FieldTable = {
  id: ['uuid', 'i.id'],
  ocrStatus: ['text', 'i.ocr_status', { values: ocrStatuses }],
  title: ['text', 'i.title'],
  customer: ['object', 'i.customer_id'],
  ...customerFields('customer.', 'i'),
  vehicleOperable: ['boolean', 'i.vehicle_operable'],
  incidentTimestamp: ['date-time', 'i.incident_timestamp'],
  reportTimestamp: ['date-time', 'i.report_timestamp'],
  location: ['text', 'i.location'],
  incidentType: ['text', 'i.incident_type'],
  cause: ['text', 'i.cause'],
  notes: ['text', 'i.notes'],
  description: ['text', 'i.description'],
  isResolved: ['boolean', 'i.is_resolved'],
  damages: ['object', 'd.title', { anyOf: damages }],
  'damages.title': ['text', 'd.title', { anyOf: damages }],
  'damages.damageType': ['text', 'd."damageType"', { anyOf: damages }],
  'damages.severity': ['text', 'd.severity', { values: severities, anyOf: damages }],
  'damages.repaired': ['boolean', 'd.repaired', { anyOf: damages }],
  'damages.position': ['text', 'd.position', { values: damagePositions, anyOf: damages }],
  ...blobFields('incidents', 'i'),
  // Not a property of the interface's incident.
  updatedAt: ['date-time', 'i.updated_at'],
};

export const incidentColumns =
  'i.vehicle_id, i.id, i.version, i.ocr_status, i.title, i.vehicle_operable, i.incident_timestamp, ' +
  'i.report_timestamp, i.location, i.incident_type, i.cause, i.notes, i.description, i.is_resolved, ' +
  `i.damages, ${customerColumns('i')}`;

/** Incidents, newest report first. */
export const incidents: Searchable = {
  fields: fieldsOf(incidentFields),
  columns: incidentColumns,
  from: 'incidents i',
  textColumns: [
    'i.title',
    'i.location',
    'i.incident_type',
    'i.cause',
    'i.notes',
    'i.description',
    { column: 'd.title', anyOf: damages },
  ],
  defaultOrder: ['i.report_timestamp desc'],
  id: 'i.id',
};

export type IncidentRow = CustomerRow & {
  vehicle_id: string;
  id: string;
  version: number;
  ocr_status: Incident['ocrStatus'];
  title: string;
  vehicle_operable: boolean;
  incident_timestamp: string | null;
  report_timestamp: string;
  location: string | null;
  incident_type: string | null;
  cause: string | null;
  notes: string | null;
  description: string | null;
  is_resolved: boolean;
  damages: Incident['damages'] | null;
};

/** The incident without its files. */
export function incidentOf(row: IncidentRow): Incident {
  const customer = customerOf(row);
  return {
    id: row.id,
    ocrStatus: row.ocr_status,
    title: row.title,
    ...(customer && { customer }),
    vehicleOperable: row.vehicle_operable,
    ...(row.incident_timestamp !== null && { incidentTimestamp: row.incident_timestamp }),
    reportTimestamp: row.report_timestamp,
    ...(row.location !== null && { location: row.location }),
    ...(row.incident_type !== null && { incidentType: row.incident_type }),
    ...(row.cause !== null && { cause: row.cause }),
    ...(row.notes !== null && { notes: row.notes }),
    ...(row.description !== null && { description: row.description }),
    isResolved: row.is_resolved,
    ...(row.damages && { damages: row.damages.map(inOrder) }),
  };
}

/** The properties in the order of the interface, independent of the request. */
function inOrder({ title, damageType, severity, repaired, position }: Damage): Damage {
  return { title, damageType, severity, repaired, position };
}
type Damage = NonNullable<Incident['damages']>[number];
