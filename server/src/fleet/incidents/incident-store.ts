import type { Queryable } from '../../platform/db/database.ts';
import { requireMatch } from '../../platform/http/etag.ts';
import { formats } from '../../platform/http/formats.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound, type Problem } from '../../platform/http/problem.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import { type Blob, blobsColumn, blobsOf } from '../files/public.ts';
import { customerValues } from '../users/public.ts';
import { requireVehicle } from '../vehicles/public.ts';
import type { Incident, IncidentRequest, incidentParameters, OcrStatus } from './incident.ts';
import { type IncidentRow, incidentColumns, incidentOf } from './incident-fields.ts';

export type IncidentPath = Record<keyof typeof incidentParameters, string>;

/** The key of an incident: the values of $1, $2 and $3 in `isIncident`. */
export function incidentKey(provider: ProviderRef, path: IncidentPath): string[] {
  return [provider.id, path.vehicleId, path.incidentId];
}
/** What is no id at all, no statement takes. */
export function isIncidentId({ incidentId }: IncidentPath): boolean {
  return formats.uuid(incidentId);
}
export const isIncident = 'provider = $1 and vehicle_id = $2 and id = $3';

/** Answers 404 when there is no such incident, or no such vehicle. */
export async function readIncident(
  db: Queryable,
  provider: ProviderRef,
  path: IncidentPath,
): Promise<{ incident: Incident; version: number }> {
  const row = await rowAt<WholeRow>(
    db,
    provider,
    path,
    `select ${wholeColumns} from incidents i where ${isIncident}`,
  );
  return wholeOf(row);
}

/** An incident with its files, from one row: `wholeColumns` of `incidents i`. */
export type WholeRow = IncidentRow & { blobs: Blob[] | null };
export const wholeColumns = `${incidentColumns}, ${blobsColumn('incidents', 'i')}`;
export function wholeOf({ blobs, ...row }: WholeRow): { incident: Incident; version: number } {
  return { incident: { ...incidentOf(row), ...(blobs && { blobs }) }, version: row.version };
}

/**
 * Keeps all other writers away from the incident until the transaction ends. Answers 404 as reading
 * does, and 412 when it is not in the state that If-Match names.
 */
export async function lockIncident(
  tx: Queryable,
  provider: ProviderRef,
  path: IncidentPath,
  ifMatch: string | undefined,
): Promise<{ ocrStatus: OcrStatus }> {
  const { version, ocr_status: ocrStatus } = await rowAt<IncidentRow>(
    tx,
    provider,
    path,
    `select version, ocr_status from incidents where ${isIncident} for update`,
  );
  requireMatch(ifMatch, version);
  return { ocrStatus };
}

async function rowAt<Row>(
  db: Queryable,
  provider: ProviderRef,
  path: IncidentPath,
  select: string,
): Promise<Row> {
  const [row] = isIncidentId(path) ? await db.query<Row>(select, incidentKey(provider, path)) : [];
  if (row) return row;
  throw await missingIncident(db, provider, path);
}

/** What is missing: the incident, or even its vehicle. */
export async function missingIncident(
  db: Queryable,
  provider: ProviderRef,
  { vehicleId }: IncidentPath,
): Promise<Problem> {
  await requireVehicle(db, provider, vehicleId);
  return notFound('incident');
}

/** The incidents of rows with their files, which are read all at once. */
export async function incidentsOf(
  db: Queryable,
  provider: ProviderRef,
  rows: readonly IncidentRow[],
): Promise<Incident[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const files = await blobsOf(db, provider, 'incidents', ids);
  return rows.map((row) => {
    const blobs = files.get(row.id);
    return { ...incidentOf(row), ...(blobs && { blobs }) };
  });
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
