import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { Problem, type ValidationIssue } from '../../platform/http/problem.ts';
import { lockStatusRows, lockVehicleRows } from '../vehicles/public.ts';
import type { NewInvoice } from './invoice.ts';
import { costDate } from './invoice-columns.ts';
import type { InvoiceLine } from './invoice-line.ts';

type LinkName = 'chargingSessionId' | 'maintenanceReportId' | 'logbookEntryId' | 'incidentId';

/** `condition` is that of a new link; one that the invoice has already stays. */
const linkedRecords: Record<
  LinkName,
  { noun: string; table: string; column: string; idType: string; condition: string }
> = {
  chargingSessionId: {
    noun: 'charging session',
    table: 'charging_sessions',
    column: 'charging_session_id',
    idType: 'text',
    condition: 'not r.superseded',
  },
  maintenanceReportId: {
    noun: 'maintenance report',
    table: 'maintenance_reports',
    column: 'maintenance_report_id',
    idType: 'uuid',
    condition: 'not r.withdrawn',
  },
  logbookEntryId: {
    noun: 'logbook entry',
    table: 'logbook_entries',
    column: 'logbook_entry_id',
    idType: 'uuid',
    condition: 'true',
  },
  incidentId: {
    noun: 'incident',
    table: 'incidents',
    column: 'incident_id',
    idType: 'uuid',
    condition: 'true',
  },
};
const linkNames = Object.keys(linkedRecords) as LinkName[];

/**
 * Locks the vehicles of the lines against deletion, and those whose maintenance they charge against its completion, which
 * would not see these lines, nor they its entry. Before any lock of an invoice, as vehicles come first.
 */
export async function lockLinkedVehicles(
  tx: Queryable,
  provider: ProviderRef,
  lines: readonly Pick<InvoiceLine, 'vehicleId' | 'maintenanceReportId'>[],
): Promise<void> {
  const linked = lines.filter(({ vehicleId }) => vehicleId !== undefined);
  if (linked.length === 0) return;
  await lockVehicleRows(tx, provider.id, vehicleIdsOf(linked));
  const charged = linked.filter(({ maintenanceReportId }) => maintenanceReportId !== undefined);
  if (charged.length > 0) await lockStatusRows(tx, provider.id, vehicleIdsOf(charged));
}

const vehicleIdsOf = (lines: readonly Pick<InvoiceLine, 'vehicleId'>[]) => [
  ...new Set(lines.flatMap(({ vehicleId }) => vehicleId ?? [])),
];

/** 404 unless all vehicles, which are locked, and records exist that the lines are linked to; locks these against deletion. */
export async function requireLinks(
  tx: Queryable,
  provider: ProviderRef,
  lines: readonly InvoiceLine[],
  invoiceId?: string,
): Promise<void> {
  const missing = await missingVehicles(tx, provider, lines);
  for (const name of linkNames)
    missing.push(...(await missingRecords(tx, provider, lines, name, invoiceId)));
  if (missing.length === 0) return;
  throw new Problem(404, 'not-found', 'A linked record does not exist', {
    detail:
      missing.length === 1 ? missing[0]?.detail : `${missing.length} linked records do not exist.`,
    errors: missing.slice(0, maxIssues),
  });
}

const maxIssues = 100;

const doesNotExist = (noun: string) =>
  `The ${noun} does not exist, or it belongs to another asset provider.`;

async function missingVehicles(
  tx: Queryable,
  provider: ProviderRef,
  lines: readonly InvoiceLine[],
): Promise<ValidationIssue[]> {
  const ids = vehicleIdsOf(lines);
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string }>(selectVehicles, [provider.id, ids]);
  const known = new Set(rows.map(({ id }) => id));
  return lines.flatMap(({ vehicleId }, index) =>
    vehicleId === undefined || known.has(vehicleId)
      ? []
      : { pointer: `/lines/${index}/vehicleId`, detail: doesNotExist('vehicle') },
  );
}

const selectVehicles = 'select id from vehicles where provider = $1 and id = any($2)';

async function missingRecords(
  tx: Queryable,
  provider: ProviderRef,
  lines: readonly InvoiceLine[],
  name: LinkName,
  invoiceId: string | undefined,
): Promise<ValidationIssue[]> {
  const { noun, table, column, idType, condition } = linkedRecords[name];
  const linked = lines.flatMap(({ vehicleId, [name]: id }, index) =>
    id === undefined || vehicleId === undefined ? [] : { index, vehicleId, id },
  );
  if (linked.length === 0) return [];
  const rows = await tx.query<{ vehicle_id: string; id: string }>(
    `select r.vehicle_id, r.id::text as id from ${table} r
     join (select distinct * from unnest($2::text[], $3::${idType}[]) one (vehicle_id, id)) wanted
       on r.vehicle_id = wanted.vehicle_id and r.id = wanted.id
     where r.provider = $1 and (${condition} or exists (
       select from invoice_lines l where l.provider = $1 and l.invoice_id = $4
         and l.vehicle_id = r.vehicle_id and l.${column} = r.id))
     order by r.vehicle_id, r.id for key share of r`,
    [
      provider.id,
      linked.map(({ vehicleId }) => vehicleId),
      linked.map(({ id }) => id),
      invoiceId ?? null,
    ],
  );
  const key = (vehicleId: string, id: string) =>
    JSON.stringify([vehicleId, idType === 'uuid' ? id.toLowerCase() : id]);
  const known = new Set(rows.map(({ vehicle_id, id }) => key(vehicle_id, id)));
  return linked
    .filter(({ vehicleId, id }) => !known.has(key(vehicleId, id)))
    .map(({ index }) => ({ pointer: `/lines/${index}/${name}`, detail: doesNotExist(noun) }));
}

/** An invoice that is farther from a completion than this is of another one: reports return every year. */
export const completionDays = 90;

/** Links the lines of a maintenance report to the logbook entry of its completion, whose cost would count twice. */
export async function linkCompletions(
  tx: Queryable,
  provider: ProviderRef,
  invoice: NewInvoice,
): Promise<NewInvoice> {
  const open = invoice.lines.flatMap((line, index) => {
    const { vehicleId, maintenanceReportId, logbookEntryId } = line;
    if (maintenanceReportId === undefined || logbookEntryId !== undefined) return [];
    return { index, vehicleId, maintenanceReportId, date: costDate(invoice, line) };
  });
  if (open.length === 0) return invoice;
  const rows = await tx.query<{ index: number; id: string }>(selectCompletions, [
    provider.id,
    open.map(({ index }) => index),
    open.map(({ vehicleId }) => vehicleId),
    open.map(({ maintenanceReportId }) => maintenanceReportId),
    open.map(({ date }) => date ?? null),
  ]);
  const entries = new Map(rows.map(({ index, id }) => [index, id]));
  const lines = invoice.lines.map((line, index) => {
    const logbookEntryId = entries.get(index);
    return logbookEntryId === undefined ? line : { ...line, logbookEntryId };
  });
  return { ...invoice, lines };
}

const selectCompletions = `
  select distinct on (line.index) line.index, e.id
  from unnest($2::integer[], $3::text[], $4::uuid[], $5::date[]) line (index, vehicle_id, report_id, date)
  join logbook_entries e on e.vehicle_id = line.vehicle_id and e.maintenance_report_id = line.report_id
  where e.provider = $1 and abs(e.date - line.date) <= ${completionDays}
  order by line.index, abs(e.date - line.date), e.id`;
