import type { Field } from '../../platform/search/field.ts';
import { blobFields } from '../files/blob.ts';
import {
  type CustomerRow,
  customerColumns,
  customerFields,
  customerOf,
} from '../users/customer.ts';
import { categories, type LogbookEntry } from './logbook-entry.ts';

/** What the entries of a logbook can be filtered and sorted by. */
export const logbookFields: readonly Field[] = [
  { path: 'id', type: 'uuid', column: 'e.id' },
  { path: 'date', type: 'date', column: 'e.date' },
  { path: 'odometer', type: 'number', column: 'e.odometer' },
  { path: 'category', type: 'text', column: 'e.category', values: categories },
  { path: 'title', type: 'text', column: 'e.title' },
  { path: 'description', type: 'text', column: 'e.description' },
  { path: 'cost', type: 'object', column: 'e.cost_amount' },
  { path: 'cost.amount', type: 'number', column: 'e.cost_amount' },
  { path: 'cost.currency', type: 'text', column: 'e.cost_currency' },
  { path: 'customer', type: 'object', column: 'e.customer_id' },
  ...customerFields('customer.', 'e'),
  { path: 'tags', type: 'text', column: 'tag', anyOf: 'from unnest(e.tags) tag where true' },
  ...blobFields('logbook', 'e'),
  { path: 'createdAt', type: 'date-time', column: 'e.created_at' },
  { path: 'updatedAt', type: 'date-time', column: 'e.updated_at' },
];

export const logbookColumns =
  'e.id, e.version, e.date, e.odometer, e.category, e.title, e.description, e.cost_amount, e.cost_currency, ' +
  `${customerColumns('e')}, e.tags, e.created_at, e.updated_at`;

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
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
