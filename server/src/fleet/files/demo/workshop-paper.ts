import { randomFor } from '../../../platform/random/random.ts';
import type { DemoVehicle } from '../../vehicles/public.ts';
import { type PdfBlock, pdfPage } from './pdf.ts';

/** What a workshop writes for a vehicle: an invoice, an estimate… */
export type WorkshopPaper = {
  title: string;
  /** The id of the entry that it is for; its number and the workshop follow from it. */
  entryId: string;
  date: string;
  odometer: number | undefined;
  subject?: string;
  items: readonly (readonly [item: string, cents: number])[];
  remarks: readonly string[];
};

const gap: PdfBlock = { text: ' ' };

/** A workshop's paper as a PDF. */
export function workshopPaper(vehicle: DemoVehicle, paper: WorkshopPaper): Promise<Buffer> {
  const { entryId, date, odometer, subject, items, remarks } = paper;
  const { vendor, model, variant, licensePlate, vin } = vehicle.information;
  const heading = `${paper.title} ${entryId.slice(0, 8).toUpperCase()}`;
  return pdfPage(heading, date, [
    { text: 'Example Garage', size: 18, font: 'Helvetica-Bold' },
    { text: vehicle.addressNear(randomFor(`${entryId}/garage`)) },
    gap,
    { text: heading, size: 14, font: 'Helvetica-Bold' },
    { text: `Date: ${date}` },
    gap,
    { text: `Vehicle: ${vendor} ${model} ${variant}, ${licensePlate}` },
    { text: `VIN: ${vin}` },
    { text: `Odometer: ${odometer} km` },
    ...(subject === undefined ? [] : [{ text: subject }]),
    gap,
    { table: items.map(([item, cents]) => [item, `${(cents / 100).toFixed(2)} €`]) },
    gap,
    ...remarks.map((text) => ({ text })),
  ]);
}
