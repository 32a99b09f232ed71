import { fieldsOf } from '../../../platform/search/field.ts';
import type { Searchable } from '../../../platform/search/searchable.ts';
import { type CostKind, costKinds } from '../invoice-line.ts';
import { countedStatuses } from '../invoice-status.ts';

/** The categories of the logbook, in the kinds of costs. */
export const kindOfCategory: Record<string, CostKind> = {
  fuel: 'fuel',
  charging: 'energy',
  service: 'maintenance',
  repair: 'repair',
  inspection: 'maintenance',
  tyres: 'tyres',
  cleaning: 'cleaning',
  toll: 'toll',
  parking: 'parking',
  fine: 'fine',
  insurance: 'insurance',
  tax: 'tax',
  accident: 'repair',
  other: 'other',
};

const kindOfEntry = `case e.category ${Object.entries(kindOfCategory)
  .map(([category, kind]) => `when '${category}' then '${kind}'`)
  .join(' ')} else 'other' end`;

const counted = `i.status in (${countedStatuses.map((status) => `'${status}'`).join(', ')})`;

const ofLines = `
  select l.cost_date as date, l.vehicle_id, l.kind, i.supplier_name, i.supplier_vat_id, i.currency,
    l.cost_amount as amount, l.cost_tax_amount as tax_amount, 'invoice' as source
  from invoice_lines l join invoices i on i.provider = l.provider and i.id = l.invoice_id
  where l.provider = $1 and l.cost_date between $2::date and $3::date and ${counted}`;

// An entry that an invoice charges is counted by the invoice alone. A credit note charges nothing.
const ofEntries = `
  select e.date, e.vehicle_id, ${kindOfEntry}, null, null, e.cost_currency, e.cost_amount, 0, 'logbook'
  from logbook_entries e
  where e.provider = $1 and e.date between $2::date and $3::date and e.cost_amount is not null
    and not exists (
      select from invoice_lines l join invoices i on i.provider = l.provider and i.id = l.invoice_id
      where l.provider = e.provider and l.vehicle_id = e.vehicle_id and l.logbook_entry_id = e.id and ${counted}
        and i.type = 'invoice'
    )`;

const costSources = ['invoice', 'logbook'] as const;

/** What was spent: $1 is the provider, $2 and $3 are the first and the last day. */
export const costItems: Searchable = {
  fields: fieldsOf({
    date: ['date', 'c.date'],
    vehicleId: ['text', 'c.vehicle_id'],
    kind: ['text', 'c.kind', { values: costKinds }],
    'supplier.name': ['text', 'c.supplier_name'],
    'supplier.vatId': ['text', 'c.supplier_vat_id'],
    currency: ['text', 'c.currency'],
    amount: ['number', 'c.amount'],
    source: ['text', 'c.source', { values: costSources }],
  }),
  columns: 'c.*',
  from: `(${ofLines} union all ${ofEntries}) c`,
  id: 'c.date',
};
