import Type from 'typebox';
import { recordEvents } from '../record-events.ts';
import { InvoiceSchema } from './invoice.ts';
import { exampleNewInvoice } from './invoice-examples.ts';
import { type InvoiceRow, invoiceColumns, invoiceOf, type LineRow, lineOf } from './invoice-row.ts';

const { blobs: _, ...properties } = InvoiceSchema.properties;

// Exact decimals are text, as where lines are read from their table.
const decimals = ['quantity', 'unit_price', 'price_base_quantity', 'vat_rate'];
const lines = `(
  select coalesce(json_agg(to_jsonb(l) || jsonb_build_object(
    ${decimals.map((column) => `'${column}', l.${column}::text`).join(', ')}
  ) order by l.position), '[]')
  from json_populate_recordset(null::invoice_lines, image.state -> 'lines') l
) as lines`;

export const invoiceEvents = recordEvents<InvoiceRow & { lines: LineRow[] }>({
  type: 'invoice',
  name: 'Invoice',
  description: 'An invoice with its lines. Without its files, which have events of their own.',
  table: 'invoices',
  alias: 'i',
  columns: `${invoiceColumns}, ${lines}`,
  resource: ({ lines, ...row }) => ({ ...invoiceOf(row), lines: lines.map(lineOf) }),
  subject: (id) => `/invoices/${id}`,
  schema: Type.Object(properties, { additionalProperties: false }),
  example: exampleNewInvoice,
});
