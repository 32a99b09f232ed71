import { fieldsOf } from '../../platform/search/field.ts';
import { blobFields } from '../files/public.ts';
import { type CustomerRow, customerColumns, customerFields, customerOf } from '../users/public.ts';
import { categories, type LogbookEntry } from './logbook-entry.ts';

export const logbookFields = fieldsOf({
  id: ['uuid', 'e.id'],
  date: ['date', 'e.date'],
  odometer: ['number', 'e.odometer'],
  category: ['text', 'e.category', { values: categories }],
  title: ['text', 'e.title'],
  description: ['text', 'e.description'],
  cost: ['object', 'e.cost_amount'],
  'cost.amount': ['number', 'e.cost_amount'],
  'cost.currency': ['text', 'e.cost_currency'],
  customer: ['object', 'e.customer_id'],
  ...customerFields('customer.', 'e'),
  tags: ['text', 'tag', { anyOf: 'from unnest(e.tags) tag where true' }],
  ...blobFields('logbook', 'e'),
  maintenanceReportId: ['uuid', 'e.maintenance_report_id'],
  createdAt: ['date-time', 'e.created_at'],
  updatedAt: ['date-time', 'e.updated_at'],
});

export const logbookColumns =
  'e.id, e.version, e.date, e.odometer, e.category, e.title, e.description, e.cost_amount, e.cost_currency, ' +
  `${customerColumns('e')}, e.tags, e.maintenance_report_id, e.created_at, e.updated_at`;

export type LogbookRow = CustomerRow & {
  id: string;
  version: number;
  date: string;
  odometer: number | null;
  category: LogbookEntry['category'];
  title: string;
  description: string | null;
  cost_amount: number | null;
  cost_currency: string | null;
  tags: string[];
  maintenance_report_id: string | null;
  created_at: string;
  updated_at: string;
};

/** The entry without its files. */
export function entryOf(row: LogbookRow): LogbookEntry {
  const { cost_amount: amount, cost_currency: currency, tags } = row;
  const customer = customerOf(row);
  return {
    id: row.id,
    date: row.date,
    ...(row.odometer !== null && { odometer: row.odometer }),
    category: row.category,
    title: row.title,
    ...(row.description !== null && { description: row.description }),
    ...(amount !== null && currency !== null && { cost: { amount, currency } }),
    ...(customer && { customer }),
    ...(tags.length > 0 && { tags }),
    ...(row.maintenance_report_id !== null && { maintenanceReportId: row.maintenance_report_id }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
