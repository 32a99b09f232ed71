import { randomFor } from '../../../platform/random/random.ts';
import type { DemoFile } from '../../files/public.ts';
import type { OfVehicle } from '../../vehicles/public.ts';
import type { Incident } from '../incident.ts';
import { filledStatement } from './filled-statement.ts';
import { estimate, statement } from './papers.ts';
import { damageSketch } from './sketch.ts';

const inside = /seat|carpet|headliner|dashboard|console|steering_wheel|trim/;

/** A sketch of most damages, some statements, and estimates of what is still to be mended. */
export async function incidentFiles({
  vehicle,
  entry: incident,
}: OfVehicle<Incident>): Promise<DemoFile[]> {
  const random = randomFor(`${incident.id}/files`);
  const { damages = [] } = incident;
  const files: Pick<DemoFile, 'filename' | 'contentType' | 'bytes'>[] = [];
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
      contentType: 'text/plain; charset=utf-8',
      bytes: statement(vehicle, incident),
    });
  }
  if (damages.some(({ repaired }) => !repaired) && !incident.isResolved && random.chance(0.6)) {
    files.push({
      filename: 'estimate.pdf',
      contentType: 'application/pdf',
      bytes: await estimate(vehicle, incident),
    });
  }
  if (incident.ocrStatus === 'PROCESSING') {
    files.push({
      filename: 'accident-statement.pdf',
      contentType: 'application/pdf',
      bytes: await filledStatement(vehicle, incident),
    });
  }
  return files.map((file) => ({
    vehicleId: vehicle.asset.id,
    entryId: incident.id,
    uploadedAt: incident.reportTimestamp,
    ...file,
  }));
}
