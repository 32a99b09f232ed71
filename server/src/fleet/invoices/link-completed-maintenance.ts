import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { completionDays } from './line-links.ts';

/** Links lines that charge the maintenance to its entry in the logbook, whose cost would count twice. */
export async function linkCompletedMaintenance(
  { providerId, vehicleId, reportId, entryId, date }: FleetEvents['maintenanceCompleted'],
  { tx, clock }: SubscriberContext,
): Promise<void> {
  await tx.query(linkLines, [providerId, vehicleId, reportId, entryId, date, clock.now()]);
}

const linkLines = `
  with chosen as (
    select l.invoice_id, l.position from invoice_lines l
    where l.provider = $1 and l.vehicle_id = $2 and l.maintenance_report_id = $3 and l.logbook_entry_id is null
      and abs(l.cost_date - $5::date) <= ${completionDays}
    order by l.invoice_id, l.position for update
  ), linked as (
    update invoice_lines l set logbook_entry_id = $4 from chosen
    where l.provider = $1 and l.invoice_id = chosen.invoice_id and l.position = chosen.position
    returning l.invoice_id
  )
  update invoices i set version = version + 1, updated_at = $6
  where i.provider = $1 and i.id in (select invoice_id from linked)`;
