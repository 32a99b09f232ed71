import type { Incident } from '../fleet/incidents/incident.ts';
import type { LogbookEntry } from '../fleet/logbook/logbook-entry.ts';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import { estimate, invoice, receipt, statement } from './papers.ts';
import { randomFor } from './random.ts';
import { damageSketch } from './sketch.ts';
import { uuidFor } from './uuid.ts';

export type DemoFile = {
  vehicleId: string;
  owner: string;
  entryId: string;
  uuid: string;
  filename: string;
  contentType: string;
  bytes: Buffer;
  uploadedAt: string;
};

type Made = Pick<DemoFile, 'filename' | 'contentType' | 'bytes'>;

const text = 'text/plain; charset=utf-8';
const pdf = 'application/pdf';
const billed = ['service', 'repair', 'inspection'];
const receipted = ['fuel', 'charging', 'parking'];
const inside = /seat|carpet|headliner|dashboard|console|steering_wheel|trim/;

/** Invoices of workshops, and now and then a receipt. */
export async function logbookFiles(vehicle: Vehicle, entry: LogbookEntry): Promise<DemoFile[]> {
  const random = randomFor(`${entry.id}/files`);
  const { category, cost } = entry;
  const files: Made[] = [];
  if (billed.includes(category) && (cost?.amount ?? 0) > 0 && random.chance(0.2)) {
    files.push({
      filename: `invoice-${entry.date}.pdf`,
      contentType: pdf,
      bytes: await invoice(vehicle, entry),
    });
  }
  if (receipted.includes(category) && random.chance(0.05)) {
    files.push({
      filename: `receipt-${entry.date}.txt`,
      contentType: text,
      bytes: receipt(vehicle, entry),
    });
  }
  return filesOf(vehicle, 'logbook', entry.id, entry.createdAt, files);
}

/** A sketch of most damages, some statements, and estimates of what is still to be mended. */
export async function incidentFiles(vehicle: Vehicle, incident: Incident): Promise<DemoFile[]> {
  const random = randomFor(`${incident.id}/files`);
  const { damages = [] } = incident;
  const files: Made[] = [];
  const outside = damages.filter(({ position }) => !inside.test(position));
  if (outside.length > 0 && random.chance(0.5)) {
    files.push({
      filename: 'sketch.png',
      contentType: 'image/png',
      bytes: await damageSketch(outside),
    });
  }
  if (random.chance(0.3)) {
    files.push({
      filename: 'statement.txt',
      contentType: text,
      bytes: statement(vehicle, incident),
    });
  }
  if (damages.some(({ repaired }) => !repaired) && !incident.isResolved && random.chance(0.6)) {
    files.push({
      filename: 'estimate.pdf',
      contentType: pdf,
      bytes: await estimate(vehicle, incident),
    });
  }
  return filesOf(vehicle, 'incidents', incident.id, incident.reportTimestamp, files);
}

function filesOf(
  { asset }: Vehicle,
  owner: string,
  entryId: string,
  uploadedAt: string,
  files: readonly Made[],
): DemoFile[] {
  return files.map((file) => ({
    vehicleId: asset.id,
    owner,
    entryId,
    uuid: uuidFor(`${entryId}/${file.filename}`),
    uploadedAt,
    ...file,
  }));
}
