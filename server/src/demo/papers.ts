import type { Incident } from '../fleet/incidents/incident.ts';
import type { LogbookEntry } from '../fleet/logbook/logbook-entry.ts';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import { addressNear, isFrench } from './history.ts';
import { odometerAt } from './mileage.ts';
import { type PdfBlock, pdfPage } from './pdf.ts';
import { randomFor } from './random.ts';

/** The bill for an entry of the logbook. */
export function invoice(vehicle: Vehicle, entry: LogbookEntry): Promise<Buffer> {
  const gross = entry.cost?.amount ?? 0;
  const percent = isFrench(vehicle) ? 20 : 19;
  const net = Math.round(gross / (1 + percent / 100));
  return paper(vehicle, entry.id, `Invoice ${numberOf(entry)}`, entry.date, [
    ...vehicleLines(vehicle, entry.odometer),
    gap,
    table([
      [entry.title, net],
      [`VAT ${percent} %`, gross - net],
      ['Total', gross],
    ]),
    gap,
    { text: entry.description ?? '' },
    { text: 'Paid. Thank you.' },
  ]);
}

/** What a workshop asks for the damages that are still there. */
export function estimate(vehicle: Vehicle, incident: Incident): Promise<Buffer> {
  const random = randomFor(`${incident.id}/estimate`);
  const open = (incident.damages ?? []).filter(({ repaired }) => !repaired);
  const rows = open.map(({ title, severity }): [string, number] => {
    const [from, to] = { light: [120, 380], moderate: [380, 1_250], high: [1_250, 3_400] }[
      severity
    ];
    return [title, random.integer(from ?? 0, to ?? 0) * 100];
  });
  const total = rows.reduce((sum, [, cents]) => sum + cents, 0);
  return paper(
    vehicle,
    incident.id,
    `Estimate ${numberOf(incident)}`,
    incident.reportTimestamp.slice(0, 10),
    [
      ...vehicleLines(vehicle, odometerAt(vehicle, Date.parse(incident.reportTimestamp))),
      { text: `Incident: ${incident.title}` },
      gap,
      table([...rows, ['Total, VAT included', total]]),
      gap,
      { text: 'Not binding. Valid for 30 days.' },
    ],
  );
}

export function receipt(vehicle: Vehicle, entry: LogbookEntry): Buffer {
  return Buffer.from(
    [
      'RECEIPT',
      '',
      `Date      ${entry.date}`,
      `Vehicle   ${vehicle.information.licensePlate}`,
      `Odometer  ${entry.odometer} km`,
      `Item      ${entry.title}`,
      ...(entry.description === undefined ? [] : [`          ${entry.description}`]),
      `Total     ${money(entry.cost?.amount ?? 0)} EUR`,
      '',
    ].join('\n'),
  );
}

/** What the driver, or whoever found it, has written down. */
export function statement(vehicle: Vehicle, incident: Incident): Buffer {
  const { title, incidentTimestamp = '', location, cause, description, damages = [] } = incident;
  return Buffer.from(
    [
      `STATEMENT: ${title}`,
      '',
      `Vehicle   ${vehicle.information.vendor} ${vehicle.information.model}, ${vehicle.information.licensePlate}`,
      `When      ${incidentTimestamp.slice(0, 16).replace('T', ' ')} UTC`,
      `Where     ${location}`,
      `Cause     ${cause}`,
      '',
      `${description}`,
      '',
      ...damages.map((damage) => `- ${damage.title} (${damage.severity})`),
      '',
    ].join('\n'),
  );
}

const gap: PdfBlock = { text: ' ' };

function paper(
  vehicle: Vehicle,
  seed: string,
  heading: string,
  date: string,
  blocks: readonly PdfBlock[],
): Promise<Buffer> {
  return pdfPage(heading, date, [
    { text: 'Example Garage', size: 18, font: 'Helvetica-Bold' },
    { text: addressNear(vehicle, randomFor(`${seed}/garage`)) },
    gap,
    { text: heading, size: 14, font: 'Helvetica-Bold' },
    { text: `Date: ${date}` },
    gap,
    ...blocks,
  ]);
}

function vehicleLines({ information }: Vehicle, odometer: number | undefined): PdfBlock[] {
  const { vendor, model, variant, licensePlate, vin } = information;
  return [
    { text: `Vehicle: ${vendor} ${model} ${variant}, ${licensePlate}` },
    { text: `VIN: ${vin}` },
    { text: `Odometer: ${odometer} km` },
  ];
}

function table(rows: readonly (readonly [item: string, cents: number])[]): PdfBlock {
  return { table: rows.map(([item, cents]) => [item, `${money(cents)} €`]) };
}

function money(cents: number): string {
  return (cents / 100).toFixed(2);
}

function numberOf({ id }: { id: string }): string {
  return id.slice(0, 8).toUpperCase();
}
