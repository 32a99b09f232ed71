import { columnOf } from '../../platform/search/schema-field.ts';
import { lineCosts } from './calculation/line-costs.ts';
import { type NewInvoice, totalNames } from './invoice.ts';
import type { InvoiceLine } from './invoice-line.ts';

/** The columns of an invoice that a client writes, each with its value. */
export const writtenColumns: readonly (readonly [
  name: string,
  value: (invoice: NewInvoice) => unknown,
])[] = [
  ['status', ({ status }) => status],
  ['type', ({ type }) => type],
  ['number', ({ number }) => number],
  ['supplier_name', ({ supplier }) => supplier?.name],
  ['supplier_vat_id', ({ supplier }) => supplier?.vatId],
  ['supplier_tax_number', ({ supplier }) => supplier?.taxNumber],
  ['supplier_registration', ({ supplier }) => supplier?.registration],
  ['supplier_address', ({ supplier }) => supplier?.address && JSON.stringify(supplier.address)],
  ['buyer_reference', ({ customerReference }) => customerReference],
  ['order_reference', ({ orderReference }) => orderReference],
  ['issue_date', ({ issueDate }) => issueDate],
  ['due_date', ({ dueDate }) => dueDate],
  ['service_date', ({ serviceDate }) => serviceDate],
  ['service_from', ({ servicePeriod }) => servicePeriod?.from],
  ['service_to', ({ servicePeriod }) => servicePeriod?.to],
  ['currency', ({ currency }) => currency],
  ['note', ({ note }) => note],
  ['allowances', ({ allowances = [] }) => JSON.stringify(allowances)],
  ['charges', ({ charges = [] }) => JSON.stringify(charges)],
  ['vat_breakdown', ({ vatBreakdown }) => JSON.stringify(vatBreakdown)],
  ...totalNames.map((name) => [columnOf(name), ({ totals }: NewInvoice) => totals[name]] as const),
];

/** The values of those columns; what the request leaves out is cleared. */
export function writtenValues(invoice: NewInvoice): unknown[] {
  return writtenColumns.map(([, value]) => value(invoice) ?? null);
}

/** The columns of a line that are not those of its key. */
export const lineColumns = [
  'line_number',
  'text',
  'description',
  'kind',
  'quantity',
  'unit',
  'unit_price',
  'price_base_quantity',
  'allowances',
  'charges',
  'net_amount',
  'vat_category',
  'vat_rate',
  'service_from',
  'service_to',
  'vehicle_id',
  'charging_session_id',
  'maintenance_report_id',
  'logbook_entry_id',
  'incident_id',
  'cost_amount',
  'cost_tax_amount',
  'cost_date',
] as const;

type LineValues = { position: number } & Record<(typeof lineColumns)[number], unknown>;

/** The rows of the lines of an invoice. */
export function lineRows(invoice: NewInvoice): LineValues[] {
  const costs = lineCosts(invoice);
  return invoice.lines.map((line, position) => ({
    position,
    line_number: line.lineNumber,
    text: line.text,
    description: line.description,
    kind: line.kind,
    quantity: line.quantity,
    unit: line.unit,
    unit_price: line.unitPrice,
    price_base_quantity: line.priceBaseQuantity,
    allowances: line.allowances ?? [],
    charges: line.charges ?? [],
    net_amount: line.netAmount,
    vat_category: line.vatCategory,
    vat_rate: line.vatRate,
    service_from: line.servicePeriod?.from,
    service_to: line.servicePeriod?.to,
    vehicle_id: line.vehicleId,
    charging_session_id: line.chargingSessionId,
    maintenance_report_id: line.maintenanceReportId,
    logbook_entry_id: line.logbookEntryId,
    incident_id: line.incidentId,
    cost_amount: costs[position]?.amount,
    cost_tax_amount: costs[position]?.taxAmount,
    cost_date: costDate(invoice, line),
  }));
}

/** The day whose costs a line belongs to: that of the service where it is known, else that of the invoice. */
export function costDate(invoice: NewInvoice, { servicePeriod }: InvoiceLine): string | undefined {
  const periods = [servicePeriod, { from: invoice.serviceDate }, invoice.servicePeriod];
  const days = periods.map((period) => period?.from ?? period?.to);
  return [...days, invoice.issueDate].find((day) => day !== undefined);
}
