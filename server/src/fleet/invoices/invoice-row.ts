import { columnOf } from '../../platform/search/schema-field.ts';
import {
  type Invoice,
  type Supplier,
  type Totals,
  totalNames,
  type VatBreakdown,
} from './invoice.ts';
import type { DocumentAllowance, InvoiceLine } from './invoice-line.ts';

export const invoiceColumns =
  'i.id, i.version, i.status, i.type, i.number, i.supplier_name, i.supplier_vat_id, i.supplier_tax_number, ' +
  'i.supplier_registration, i.supplier_address, i.buyer_reference, i.order_reference, i.issue_date, i.due_date, ' +
  'i.service_date, i.service_from, i.service_to, i.currency, i.note, i.allowances, i.charges, i.vat_breakdown, ' +
  `${totalNames.map((name) => `i.${columnOf(name)} as "${name}"`).join(', ')}, i.created_at, i.updated_at`;

export type InvoiceRow = Totals & {
  id: string;
  version: number;
  status: Invoice['status'];
  type: Invoice['type'];
  number: string | null;
  supplier_name: string | null;
  supplier_vat_id: string | null;
  supplier_tax_number: string | null;
  supplier_registration: string | null;
  supplier_address: Supplier['address'] | null;
  buyer_reference: string | null;
  order_reference: string | null;
  issue_date: string | null;
  due_date: string | null;
  service_date: string | null;
  service_from: string | null;
  service_to: string | null;
  currency: string;
  note: string | null;
  allowances: DocumentAllowance[];
  charges: DocumentAllowance[];
  vat_breakdown: VatBreakdown[];
  created_at: string;
  updated_at: string;
};

/** The invoice without its lines and files. */
export function invoiceOf(row: InvoiceRow): Omit<Invoice, 'lines' | 'blobs'> {
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    ...present({
      number: row.number,
      supplier: supplierOf(row),
      customerReference: row.buyer_reference,
      orderReference: row.order_reference,
      issueDate: row.issue_date,
      dueDate: row.due_date,
      serviceDate: row.service_date,
      servicePeriod: periodOf(row),
      note: row.note,
    }),
    currency: row.currency,
    ...unlessEmpty(row),
    vatBreakdown: row.vat_breakdown,
    totals: Object.fromEntries(totalNames.map((name) => [name, row[name]])) as Totals,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function supplierOf(row: InvoiceRow): Supplier | null {
  if (row.supplier_name === null) return null;
  const rest = {
    vatId: row.supplier_vat_id,
    taxNumber: row.supplier_tax_number,
    registration: row.supplier_registration,
    address: row.supplier_address,
  };
  return { name: row.supplier_name, ...present(rest) };
}

export const lineRowColumns =
  'l.invoice_id, l.line_number, l.text, l.description, l.kind, l.quantity, l.unit, l.unit_price, ' +
  'l.price_base_quantity, l.allowances, l.charges, l.net_amount, l.vat_category, l.vat_rate, l.service_from, ' +
  'l.service_to, l.vehicle_id, l.charging_session_id, l.maintenance_report_id, l.logbook_entry_id, l.incident_id';

/** Exact decimals arrive as text. */
export type LineRow = {
  invoice_id: string;
  line_number: string;
  text: string;
  description: string | null;
  kind: InvoiceLine['kind'];
  quantity: string;
  unit: string;
  unit_price: string;
  price_base_quantity: string;
  allowances: NonNullable<InvoiceLine['allowances']>;
  charges: NonNullable<InvoiceLine['charges']>;
  net_amount: number;
  vat_category: InvoiceLine['vatCategory'];
  vat_rate: string | null;
  service_from: string | null;
  service_to: string | null;
  vehicle_id: string | null;
  charging_session_id: string | null;
  maintenance_report_id: string | null;
  logbook_entry_id: string | null;
  incident_id: string | null;
};

export function lineOf(row: LineRow): InvoiceLine {
  return {
    lineNumber: row.line_number,
    text: row.text,
    ...present({ description: row.description }),
    kind: row.kind,
    quantity: row.quantity,
    unit: row.unit,
    unitPrice: row.unit_price,
    priceBaseQuantity: row.price_base_quantity,
    ...unlessEmpty(row),
    netAmount: row.net_amount,
    vatCategory: row.vat_category,
    ...present({
      vatRate: row.vat_rate,
      servicePeriod: periodOf(row),
      vehicleId: row.vehicle_id,
      chargingSessionId: row.charging_session_id,
      maintenanceReportId: row.maintenance_report_id,
      logbookEntryId: row.logbook_entry_id,
      incidentId: row.incident_id,
    }),
  };
}

type Period = { service_from: string | null; service_to: string | null };

function periodOf({ service_from: from, service_to: to }: Period): Invoice['servicePeriod'] | null {
  return from === null && to === null ? null : present({ from, to });
}

function unlessEmpty<Allowance>({
  allowances,
  charges,
}: {
  allowances: Allowance[];
  charges: Allowance[];
}) {
  return {
    ...(allowances.length > 0 && { allowances }),
    ...(charges.length > 0 && { charges }),
  };
}

type Present<Values> = { [Name in keyof Values]?: NonNullable<Values[Name]> };

/** Without the values that are null. */
function present<Values extends object>(values: Values): Present<Values> {
  const known = Object.entries(values).filter(([, value]) => value !== null);
  return Object.fromEntries(known) as Present<Values>;
}
