import { workshopPaper } from '../../files/public.ts';
import type { DemoVehicle } from '../../vehicles/public.ts';
import type { LogbookEntry } from '../logbook-entry.ts';

/** The bill for an entry of the logbook. */
export function invoice(vehicle: DemoVehicle, entry: LogbookEntry): Promise<Buffer> {
  const gross = entry.cost?.amount ?? 0;
  const percent = vehicle.isFrench ? 20 : 19;
  const net = Math.round(gross / (1 + percent / 100));
  return workshopPaper(vehicle, {
    title: 'Invoice',
    entryId: entry.id,
    date: entry.date,
    odometer: entry.odometer,
    items: [
      [entry.title, net],
      [`VAT ${percent} %`, gross - net],
      ['Total', gross],
    ],
    remarks: [entry.description ?? '', 'Paid. Thank you.'],
  });
}

export function receipt({ information }: DemoVehicle, entry: LogbookEntry): Buffer {
  return Buffer.from(
    [
      'RECEIPT',
      '',
      `Date      ${entry.date}`,
      `Vehicle   ${information.licensePlate}`,
      `Odometer  ${entry.odometer} km`,
      `Item      ${entry.title}`,
      ...(entry.description === undefined ? [] : [`          ${entry.description}`]),
      `Total     ${((entry.cost?.amount ?? 0) / 100).toFixed(2)} EUR`,
      '',
    ].join('\n'),
  );
}
