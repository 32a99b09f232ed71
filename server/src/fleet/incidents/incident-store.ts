import type { Queryable } from '../../platform/db/database.ts';
import { requireMatch } from '../../platform/http/etag.ts';
import { formats } from '../../platform/http/formats.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound, type Problem, type ValidationIssue } from '../../platform/http/problem.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import { type Blob, blobsColumn } from '../files/public.ts';
import { customerValues } from '../users/public.ts';
import { requireVehicle } from '../vehicles/public.ts';
import type { Incident, IncidentRequest, incidentParameters, OcrStatus } from './incident.ts';
import { type IncidentRow, incidentColumns, incidentOf } from './incident-fields.ts';

export type IncidentPath = Record<keyof typeof incidentParameters, string>;

/** The key of an incident: the values of $1, $2 and $3 in `isIncident`. */
export function incidentKey(
  provider: ProviderRef,
  path: IncidentPath,
): [provider: string, vehicleId: string, incidentId: string] {
  return [provider.id, path.vehicleId, path.incidentId];
}
/** Whether a statement accepts the id. */
export function isIncidentId({ incidentId }: IncidentPath): boolean {
  return formats.uuid(incidentId);
}
export const isIncident = 'provider = $1 and vehicle_id = $2 and id = $3';

/** 404 without such an incident, or without such a vehicle. */
export async function readIncident(
  db: Queryable,
  provider: ProviderRef,
  path: IncidentPath,
): Promise<{ incident: Incident; version: number }> {
  const row = await selectIncident<IncidentWithBlobsRow>(
    db,
    provider,
    path,
    `select ${incidentWithBlobsColumns} from incidents i where ${isIncident}`,
  );
  return incidentWithBlobsOf(row);
}

/** An incident with its files in one row: `incidentWithBlobsColumns` of `incidents i`. */
export type IncidentWithBlobsRow = IncidentRow & { blobs: Blob[] | null };
export const incidentWithBlobsColumns = `${incidentColumns}, ${blobsColumn('incidents', 'i')}`;
export function incidentWithBlobsOf({ blobs, ...row }: IncidentWithBlobsRow): {
  incident: Incident;
  version: number;
} {
  return { incident: { ...incidentOf(row), ...(blobs && { blobs }) }, version: row.version };
}

/** Locks the incident against concurrent writers: 404 as for reading, 412 when If-Match names another state. */
export async function lockIncident(
  tx: Queryable,
  provider: ProviderRef,
  path: IncidentPath,
  ifMatch: string | undefined,
): Promise<{ ocrStatus: OcrStatus }> {
  const { version, ocr_status: ocrStatus } = await selectIncident<IncidentRow>(
    tx,
    provider,
    path,
    `select version, ocr_status from incidents where ${isIncident} for update`,
  );
  requireMatch(ifMatch, version);
  return { ocrStatus };
}

async function selectIncident<Row>(
  db: Queryable,
  provider: ProviderRef,
  path: IncidentPath,
  statement: string,
): Promise<Row> {
  const [row] = isIncidentId(path)
    ? await db.query<Row>(statement, incidentKey(provider, path))
    : [];
  if (row) return row;
  throw await missingIncident(db, provider, path);
}

/** The 404 of the incident, or of its vehicle. */
export async function missingIncident(
  db: Queryable,
  provider: ProviderRef,
  { vehicleId }: IncidentPath,
): Promise<Problem> {
  await requireVehicle(db, provider, vehicleId);
  return notFound('incident');
}

/** Bounds the size of a page, and of what one incident takes to read and to validate. */
const maxIncidentBytes = 262_144;

export function incidentIssues(request: IncidentRequest): ValidationIssue[] {
  const bytes = writtenValues(request).reduce(
    (sum: number, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0),
    0,
  );
  if (bytes <= maxIncidentBytes) return [];
  const detail = `An incident must have at most ${maxIncidentBytes} bytes of text in UTF-8, with its damages as JSON: it has ${bytes}.`;
  return [{ pointer: '', detail }];
}

/** The columns that a client writes. */
export const writtenColumns = [
  'title',
  'customer_country_code',
  'customer_provider_code',
  'customer_id',
  'vehicle_operable',
  'incident_timestamp',
  'location',
  'incident_type',
  'cause',
  'notes',
  'description',
  'is_resolved',
  'damages',
];

/** The values of those columns; what the request leaves out is null. */
export function writtenValues(request: IncidentRequest): unknown[] {
  return [
    request.title,
    ...customerValues(request.customer),
    request.vehicleOperable,
    request.incidentTimestamp === undefined ? null : toMilliseconds(request.incidentTimestamp),
    request.location ?? null,
    request.incidentType ?? null,
    request.cause ?? null,
    request.notes ?? null,
    request.description ?? null,
    request.isResolved,
    request.damages?.length ? JSON.stringify(request.damages) : null,
  ];
}
