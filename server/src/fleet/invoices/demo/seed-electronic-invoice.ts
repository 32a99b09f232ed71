import { uuidFor } from '../../../platform/random/uuid.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { DemoContext } from '../../demo-context.ts';
import { addDemoFiles } from '../../files/public.ts';
import { demoVehicles } from '../../vehicles/public.ts';
import { documentHints, linkVehicles } from '../documents/link-vehicles.ts';
import { readXmlInvoice } from '../documents/read-xml-invoice.ts';
import { toInvoice } from '../documents/to-invoice.ts';
import { workshopInvoice } from '../documents/workshop-invoice.ts';
import { insertInvoice } from '../invoice-store.ts';

/** An XRechnung of a workshop, as if it had been sent to the service. */
export async function seedElectronicInvoice(context: DemoContext): Promise<void> {
  const { tx, provider, extent, clock } = context;
  const [vehicle] = demoVehicles(context).toSorted((a, b) => a.lot('bill') - b.lot('bill'));
  if (extent !== 'rich' || !vehicle) return;
  const now = clock.now();
  const day = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const number = `RE-${now.getUTCFullYear()}-20817`;
  const xml = workshopInvoice({
    number,
    issueDate: day(-9),
    dueDate: day(5),
    deliveredOn: day(-12),
    supplier: {
      name: 'Autoservice Elbe GmbH',
      vatId: 'DE811234567',
      street: 'Billhorner Deich 42',
      postalCode: '20539',
      city: 'Hamburg',
    },
    countryCode: 'DE',
    buyer: 'Demo fleet Germany',
    vin: vehicle.information.vin ?? '',
    lines: [
      { text: 'Bremsbeläge vorn, Satz', quantity: '1', unit: 'SET', price: '89.90' },
      { text: 'Reparatur Bremse, Arbeitszeit', quantity: '1.2', unit: 'HUR', price: '104.00' },
    ],
  });
  const { invoice: source } = await readXmlInvoice(Buffer.from(xml));
  const { invoice: unlinked } = await toInvoice(source);
  const linked = await linkVehicles(tx, provider, await documentHints(source), unlinked);
  const id = uuidFor(`${provider.id}/invoice/electronic`);
  const { invoice } = await insertInvoice(tx, provider, linked, now, id);
  const file = {
    vehicleId: null,
    entryId: invoice.id,
    filename: `${number}.xml`,
    contentType: 'application/xml',
    bytes: Buffer.from(xml),
    uploadedAt: now.toISOString(),
  };
  await addDemoFiles(context, 'invoices', [file]);
}
