import { randomFor } from '../../../platform/random/random.ts';
import type { DemoFile } from '../../files/public.ts';
import type { OfVehicle } from '../../vehicles/public.ts';
import type { LogbookEntry } from '../logbook-entry.ts';
import { invoice, receipt } from './papers.ts';

const billed = ['service', 'repair', 'inspection'];
const receipted = ['fuel', 'charging', 'parking'];

/** Invoices of workshops, and now and then a receipt. */
export async function logbookFiles({
  vehicle,
  entry,
}: OfVehicle<LogbookEntry>): Promise<DemoFile[]> {
  const random = randomFor(`${entry.id}/files`);
  const { category, cost } = entry;
  const files: Pick<DemoFile, 'filename' | 'contentType' | 'bytes'>[] = [];
  if (billed.includes(category) && (cost?.amount ?? 0) > 0 && random.chance(0.2)) {
    files.push({
      filename: `invoice-${entry.date}.pdf`,
      contentType: 'application/pdf',
      bytes: await invoice(vehicle, entry),
    });
  }
  if (receipted.includes(category) && random.chance(0.005)) {
    files.push({
      filename: `receipt-${entry.date}.txt`,
      contentType: 'text/plain; charset=utf-8',
      bytes: receipt(vehicle, entry),
    });
  }
  return files.map((file) => ({
    vehicleId: vehicle.asset.id,
    entryId: entry.id,
    uploadedAt: entry.createdAt,
    ...file,
  }));
}
