import { randomFor } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import { addMonths, endOfMonth, startOfMonth } from '../../../platform/time/months.ts';
import type { DemoScope } from '../../demo-context.ts';
import { logbooks } from '../../logbook/public.ts';
import { type DemoVehicle, drawDemoVehicles } from '../../vehicles/public.ts';
import { decimal, toMinorUnits } from '../calculation/money.ts';
import type { InvoiceRequest } from '../invoice.ts';
import type { InvoiceLineRequest } from '../invoice-line.ts';

type Billed = ReturnType<typeof logbooks>[number];

const months = 6;

/** What suppliers have billed in the last months: workshops, card companies, a leasing company. */
export function demoInvoices(scope: DemoScope): InvoiceRequest[] {
  const today = dateOf(scope.clock.now());
  const since = addMonths(startOfMonth(today), -months);
  const entries = logbooks(scope).filter(({ entry }) => entry.date >= since);
  const begins = Array.from({ length: months + 1 }, (_, index) => addMonths(since, index));
  const invoices = [
    ...entries.filter(isWorkshop).map(workshopInvoice),
    ...begins.flatMap((first) => [
      ...cardStatement(entries, first, 'charging'),
      ...cardStatement(entries, first, 'fuel'),
      leasingInvoice(scope, first),
    ]),
    mileageCredit(scope, addMonths(startOfMonth(today), -1)),
  ];
  const sent = invoices
    .filter(({ issueDate }) => issueDate <= today)
    .map((invoice) => ({
      ...invoice,
      currency: 'EUR',
      status: statusOf(invoice.issueDate, today),
    }));
  return [...disputeLast(sent), draft];
}

type Issued = InvoiceRequest & { issueDate: string };

const draft: InvoiceRequest = {
  status: 'draft',
  currency: 'EUR',
  note: 'Receipt of the car wash; amount and number are still to be typed in.',
};

function statusOf(issueDate: string, today: string): 'paid' | 'approved' | 'open' {
  const age = (Date.parse(today) - Date.parse(issueDate)) / DAY_MS;
  return age > 21 ? 'paid' : age > 7 ? 'approved' : 'open';
}

function disputeLast(invoices: (Issued & { status: string })[]): InvoiceRequest[] {
  const repairs = invoices.filter(({ lines }) => lines?.[0]?.kind === 'repair');
  const last = repairs.toSorted((a, b) => a.issueDate.localeCompare(b.issueDate)).at(-1);
  return invoices.map((invoice) => ({
    ...invoice,
    status: invoice === last ? 'disputed' : (invoice.status as 'open'),
    ...(invoice === last && {
      note: 'The part is under warranty: the workshop was asked for a credit note.',
    }),
  }));
}

const vatRateOf = ({ isFrench }: DemoVehicle) => (isFrench ? '20' : '19');

function netOf(gross: string | number, vatRate: string): string {
  return decimal(gross).div(decimal(vatRate).div(100).plus(1)).toFixed(4);
}

const kinds = { service: 'maintenance', inspection: 'maintenance', repair: 'repair' } as const;

function isWorkshop({ entry: { category, cost } }: Billed): boolean {
  return category in kinds && (cost?.amount ?? 0) > 0;
}

/** The bill of an entry, with the number of its paper. */
function workshopInvoice({ vehicle, entry }: Billed): Issued {
  const vatRate = vatRateOf(vehicle);
  const gross = entry.cost?.amount ?? 0;
  const unitPrice = decimal(netOf(gross, vatRate)).div(100).toFixed(2);
  const net = toMinorUnits(decimal(unitPrice), 'EUR');
  const tax = toMinorUnits(decimal(unitPrice).times(vatRate).div(100), 'EUR');
  const incidentId = entry.tags?.find((tag) => tag.startsWith('incident '))?.slice(9);
  return {
    number: entry.id.slice(0, 8).toUpperCase(),
    supplier: {
      name: 'Example Garage',
      address: { city: vehicle.home.name, countryCode: vehicle.isFrench ? 'FR' : 'DE' },
    },
    issueDate: entry.date,
    dueDate: daysAfter(entry.date, 14),
    serviceDate: entry.date,
    lines: [
      {
        text: entry.title,
        kind: kinds[entry.category as keyof typeof kinds],
        unitPrice,
        vatRate,
        vehicleId: vehicle.asset.id,
        logbookEntryId: entry.id,
        ...(incidentId !== undefined && { incidentId }),
      },
    ],
    // Not every total is a net amount with VAT.
    totals: { roundingAmount: gross - net - tax },
  };
}

const cards = {
  charging: { name: 'Example Charging Network', prefix: 'CN', kind: 'energy', unit: 'KWH' },
  fuel: { name: 'Example Fuel Card', prefix: 'FC', kind: 'fuel', unit: 'LTR' },
} as const;

/** What was paid by card in a month: a line for each receipt. */
function cardStatement(
  entries: readonly Billed[],
  first: string,
  category: keyof typeof cards,
): Issued[] {
  const { name, prefix, kind, unit } = cards[category];
  const last = endOfMonth(first);
  const lines = entries
    .filter(({ entry }) => entry.category === category && entry.date >= first && entry.date <= last)
    .flatMap(({ vehicle, entry }): InvoiceLineRequest[] => {
      const [quantity] = /^[\d.]+/.exec(entry.title) ?? [];
      const [price] = /^[\d.]+/.exec(entry.description ?? '') ?? [];
      if (quantity === undefined || price === undefined) return [];
      const vatRate = vatRateOf(vehicle);
      return [
        {
          text: `${vehicle.information.licensePlate}: ${entry.title}`,
          kind,
          quantity,
          unit,
          unitPrice: netOf(price, vatRate),
          vatRate,
          servicePeriod: { from: entry.date, to: entry.date },
          vehicleId: vehicle.asset.id,
          logbookEntryId: entry.id,
        },
      ];
    });
  if (lines.length === 0) return [];
  return [monthly({ name, prefix }, first, daysAfter(last, 3), lines)];
}

const leasing = { name: 'Example Leasing', prefix: 'EL' };
const leasedCounts = { rich: 25, small: 3 };

function leased(scope: DemoScope): DemoVehicle[] {
  return drawDemoVehicles(scope, 'leasing').slice(0, leasedCounts[scope.extent]);
}

function leasingInvoice(scope: DemoScope, first: string): Issued {
  const lines = leased(scope).map((vehicle): InvoiceLineRequest => {
    const { vendor, model, licensePlate } = vehicle.information;
    const [from, to] = vehicle.isVan ? [349, 489] : [219, 389];
    const euros = randomFor(`${vehicle.asset.id}/leasing`).integer(from, to);
    return {
      text: `Full-service leasing ${vendor} ${model}, ${licensePlate}`,
      kind: 'leasing',
      quantity: '1',
      unit: 'MON',
      unitPrice: `${euros}.50`,
      vatRate: vatRateOf(vehicle),
      vehicleId: vehicle.asset.id,
    };
  });
  return monthly(leasing, first, first, lines);
}

/** Fewer km were driven with a leased vehicle than agreed. */
function mileageCredit(scope: DemoScope, first: string): Issued {
  const [vehicle] = leased(scope) as [DemoVehicle];
  const line: InvoiceLineRequest = {
    text: `${vehicle.information.licensePlate}: km not driven`,
    kind: 'leasing',
    quantity: '1840',
    unit: 'KMT',
    unitPrice: '0.0412',
    vatRate: vatRateOf(vehicle),
    vehicleId: vehicle.asset.id,
  };
  const credit = monthly({ ...leasing, prefix: 'EL-C' }, first, endOfMonth(first), [line]);
  return { ...credit, type: 'credit_note' };
}

function monthly(
  { name, prefix }: { name: string; prefix: string },
  first: string,
  issueDate: string,
  lines: InvoiceLineRequest[],
): Issued {
  return {
    number: `${prefix}-${first.slice(0, 7)}`,
    supplier: { name },
    customerReference: 'Fleet management',
    issueDate,
    dueDate: daysAfter(issueDate, 14),
    servicePeriod: { from: first, to: endOfMonth(first) },
    lines,
  };
}

function daysAfter(date: string, days: number): string {
  return dateOf(Date.parse(date) + days * DAY_MS);
}
