import type { Queryable } from '../../platform/db/database.ts';
import { formats } from '../../platform/http/formats.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { notFound } from '../../platform/http/problem.ts';
import { blobsOf } from '../shared/blob.ts';
import { customerValues } from '../shared/customer.ts';
import { requireMatch } from '../shared/etag.ts';
import { toMilliseconds } from '../shared/instant.ts';
import { requireVehicle } from '../shared/vehicle-scope.ts';
import type { Incident, IncidentRequest, incidentParameters, OcrStatus } from './incident.ts';
import { type IncidentRow, incidentColumns, incidentOf } from './incident-fields.ts';

export type IncidentPath = Record<keyof typeof incidentParameters, string>;

/** The key of an incident: the values of $1, $2 and $3 in `isIncident`. */
export function incidentKey(provider: ProviderRef, path: IncidentPath): string[] {
  return [provider.id, path.vehicleId, path.incidentId];
}
export const isIncident = 'provider = $1 and vehicle_id = $2 and id = $3';

/** Answers 404 when there is no such incident, or no such vehicle. */
export async function readIncident(
  db: Queryable,
  provider: ProviderRef,
  path: IncidentPath,
): Promise<{ incident: Incident; version: number }> {
  const row = await rowAt<IncidentRow>(
    db,
    provider,
    path,
    `select ${incidentColumns} from incidents i where ${isIncident}`,
  );
  const [incident] = await incidentsOf(db, provider, [row]);
  return { incident: incident as Incident, version: row.version };
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
  const isId = formats.uuid(path.incidentId);
  const [row] = isId ? await db.rows<Row>(select, incidentKey(provider, path)) : [];
  if (row) return row;
  await requireVehicle(db, provider, path.vehicleId);
  throw notFound('incident');
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

/** The columns that a client writes; the damages have a table of their own. */
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
  ];
}

/** Keeps the damages of an incident that has none. */
export async function insertDamages(
  tx: Queryable,
  key: readonly string[],
  damages: IncidentRequest['damages'] = [],
): Promise<void> {
  if (damages.length === 0) return;
  await tx.rows(
    `insert into incident_damages
       (provider, vehicle_id, incident_id, ordinal, title, damage_type, severity, repaired, position)
     select $1, $2, $3, ordinal, title, "damageType", severity, repaired, position
     from rows from (
       jsonb_to_recordset($4) as
         (title text, "damageType" text, severity text, repaired boolean, position text)
     ) with ordinality as damage (title, "damageType", severity, repaired, position, ordinal)`,
    [...key, JSON.stringify(damages)],
  );
}
