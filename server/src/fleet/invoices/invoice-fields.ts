import { type FieldTable, fieldsOf } from '../../platform/search/field.ts';
import { columnOf } from '../../platform/search/schema-field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import { blobFields } from '../files/public.ts';
import { invoiceTypes, totalNames } from './invoice.ts';
import { costKinds, vatCategories } from './invoice-line.ts';
import { invoiceColumns } from './invoice-row.ts';
import { invoiceStatuses } from './invoice-status.ts';

const anyOf = 'from invoice_lines l where l.provider = $1 and l.invoice_id = i.id';
const ofLine = { anyOf };

const lineFields: FieldTable = {
  'lines.text': ['text', 'l.text', ofLine],
  'lines.description': ['text', 'l.description', ofLine],
  'lines.kind': ['text', 'l.kind', { ...ofLine, values: costKinds }],
  'lines.netAmount': ['number', 'l.net_amount', ofLine],
  'lines.vatCategory': ['text', 'l.vat_category', { ...ofLine, values: vatCategories }],
  'lines.vatRate': ['number', 'l.vat_rate', ofLine],
  'lines.vehicleId': ['text', 'l.vehicle_id', ofLine],
  'lines.chargingSessionId': ['text', 'l.charging_session_id', ofLine],
  'lines.maintenanceReportId': ['uuid', 'l.maintenance_report_id', ofLine],
  'lines.logbookEntryId': ['uuid', 'l.logbook_entry_id', ofLine],
  'lines.incidentId': ['uuid', 'l.incident_id', ofLine],
};

/** Invoices, the newest date first. */
export const invoices: Searchable = {
  fields: fieldsOf({
    id: ['uuid', 'i.id'],
    type: ['text', 'i.type', { values: invoiceTypes }],
    status: ['text', 'i.status', { values: invoiceStatuses }],
    number: ['text', 'i.number'],
    supplier: ['object', 'i.supplier_name'],
    'supplier.name': ['text', 'i.supplier_name'],
    'supplier.vatId': ['text', 'i.supplier_vat_id'],
    'supplier.taxNumber': ['text', 'i.supplier_tax_number'],
    'supplier.registration': ['text', 'i.supplier_registration'],
    customerReference: ['text', 'i.buyer_reference'],
    orderReference: ['text', 'i.order_reference'],
    issueDate: ['date', 'i.issue_date'],
    dueDate: ['date', 'i.due_date'],
    serviceDate: ['date', 'i.service_date'],
    'servicePeriod.from': ['date', 'i.service_from'],
    'servicePeriod.to': ['date', 'i.service_to'],
    currency: ['text', 'i.currency'],
    note: ['text', 'i.note'],
    ...lineFields,
    ...Object.fromEntries(
      totalNames.map((name) => [`totals.${name}`, ['number', `i.${columnOf(name)}`]] as const),
    ),
    ...blobFields('invoices', 'i'),
    createdAt: ['date-time', 'i.created_at'],
    updatedAt: ['date-time', 'i.updated_at'],
  }),
  columns: invoiceColumns,
  from: 'invoices i',
  textColumns: [
    'i.number',
    'i.supplier_name',
    'i.buyer_reference',
    'i.order_reference',
    'i.note',
    { column: 'l.text', anyOf },
  ],
  defaultOrder: ['i.issue_date desc nulls last', 'i.created_at desc'],
  id: 'i.id',
};
