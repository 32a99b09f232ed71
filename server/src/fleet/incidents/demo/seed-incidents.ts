import { insertRows } from '../../../platform/db/insert-rows.ts';
import type { DemoContext } from '../../demo-context.ts';
import { addDemoFiles } from '../../files/public.ts';
import { customerRow } from '../../users/public.ts';
import { incidentFiles } from './incident-files.ts';
import { demoIncidents } from './incidents.ts';

export async function seedIncidents(context: DemoContext): Promise<void> {
  const incidents = demoIncidents(context);
  const rows = incidents.map(({ vehicle, entry }) => ({
    provider: context.provider.id,
    vehicle_id: vehicle.asset.id,
    id: entry.id,
    ocr_status: entry.ocrStatus,
    title: entry.title,
    ...customerRow(entry.customer),
    vehicle_operable: entry.vehicleOperable,
    incident_timestamp: entry.incidentTimestamp,
    report_timestamp: entry.reportTimestamp,
    updated_at: entry.reportTimestamp,
    location: entry.location,
    incident_type: entry.incidentType,
    cause: entry.cause,
    notes: entry.notes,
    description: entry.description,
    is_resolved: entry.isResolved,
    damages: entry.damages,
  }));
  await insertRows(context.tx, 'incidents', rows);
  const files = await Promise.all(incidents.map(incidentFiles));
  await addDemoFiles(context, 'incidents', files.flat());
}
