import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { completionDays } from './line-links.ts';

/** Links lines that charge the maintenance to its entry in the logbook, whose cost would count twice. */
export async function linkCompletedMaintenance(
  { providerId, vehicleId, reportId, entryId, date }: FleetEvents['maintenanceCompleted'],
  { tx, clock }: SubscriberContext,
): Promise<void> {
  const values = [providerId, vehicleId, reportId, date];
  const invoices = await tx.query<{ id: string }>(lockInvoices, values);
  if (invoices.length === 0) return;
  const ids = invoices.map(({ id }) => id);
  await tx.query(linkLines, [...values, ids, entryId, clock.now()]);
}

const isCharged = `
  l.provider = $1 and l.vehicle_id = $2 and l.maintenance_report_id = $3 and l.logbook_entry_id is null
  and abs(l.cost_date - $4::date) <= ${completionDays}`;

// The invoices first, as who overwrites one locks it before its lines; and by a statement of their own, behind which the
// lines are as they were written last.
const lockInvoices = `
  select i.id from invoices i
  where i.provider = $1 and i.id in (select l.invoice_id from invoice_lines l where ${isCharged})
  order by i.id for no key update`;

const linkLines = `
  with chosen as (
    select l.invoice_id, l.position from invoice_lines l
    where ${isCharged} and l.invoice_id = any($5)
    order by l.invoice_id, l.position for update
  ), linked as (
    update invoice_lines l set logbook_entry_id = $6 from chosen
    where l.provider = $1 and l.invoice_id = chosen.invoice_id and l.position = chosen.position
    returning l.invoice_id
  )
  update invoices i set version = version + 1, updated_at = $7
  where i.provider = $1 and i.id in (select invoice_id from linked)`;
