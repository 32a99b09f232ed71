import type { Field } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/search.ts';
import { blobFields } from '../files/blob.ts';
import {
  type CustomerRow,
  customerColumns,
  customerFields,
  customerOf,
} from '../users/customer.ts';
import { damagePositions } from './damage-position.ts';
import { type Incident, ocrStatuses, severities } from './incident.ts';

const damages =
  'from json_to_recordset(i.damages) as d (title text, "damageType" text, severity text, repaired boolean, position text) where true';

/** What the incidents of a vehicle can be filtered and sorted by. */
export const incidentFields: readonly Field[] = [
  { path: 'id', type: 'uuid', column: 'i.id' },
  { path: 'ocrStatus', type: 'text', column: 'i.ocr_status', values: ocrStatuses },
  { path: 'title', type: 'text', column: 'i.title' },
  { path: 'customer', type: 'object', column: 'i.customer_id' },
  ...customerFields('customer.', 'i'),
  { path: 'vehicleOperable', type: 'boolean', column: 'i.vehicle_operable' },
  { path: 'incidentTimestamp', type: 'date-time', column: 'i.incident_timestamp' },
  { path: 'reportTimestamp', type: 'date-time', column: 'i.report_timestamp' },
  { path: 'location', type: 'text', column: 'i.location' },
  { path: 'incidentType', type: 'text', column: 'i.incident_type' },
  { path: 'cause', type: 'text', column: 'i.cause' },
  { path: 'notes', type: 'text', column: 'i.notes' },
  { path: 'description', type: 'text', column: 'i.description' },
  { path: 'isResolved', type: 'boolean', column: 'i.is_resolved' },
  { path: 'damages', type: 'object', column: 'd.title', anyOf: damages },
  { path: 'damages.title', type: 'text', column: 'd.title', anyOf: damages },
  { path: 'damages.damageType', type: 'text', column: 'd."damageType"', anyOf: damages },
  {
    path: 'damages.severity',
    type: 'text',
    column: 'd.severity',
    values: severities,
    anyOf: damages,
  },
  { path: 'damages.repaired', type: 'boolean', column: 'd.repaired', anyOf: damages },
  {
    path: 'damages.position',
    type: 'text',
    column: 'd.position',
    values: damagePositions,
    anyOf: damages,
  },
  ...blobFields('incidents', 'i'),
  // Not in the answer, which is the interface's.
  { path: 'updatedAt', type: 'date-time', column: 'i.updated_at' },
];

export const incidentColumns =
  'i.vehicle_id, i.id, i.version, i.ocr_status, i.title, i.vehicle_operable, i.incident_timestamp, ' +
  'i.report_timestamp, i.location, i.incident_type, i.cause, i.notes, i.description, i.is_resolved, ' +
  `i.damages, ${customerColumns('i')}`;

/** Incidents, newest report first. */
export const incidents: Searchable = {
  fields: incidentFields,
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

/** The properties in the order of the interface, whatever the request's was. */
function inOrder({ title, damageType, severity, repaired, position }: Damage): Damage {
  return { title, damageType, severity, repaired, position };
}
type Damage = NonNullable<Incident['damages']>[number];
