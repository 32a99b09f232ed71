import { fieldsOf } from '../../platform/search/field.ts';
import { blobFields } from '../files/public.ts';
import { type CustomerRow, customerColumns, customerFields, customerOf } from '../users/public.ts';
import { type ChecklistEntry, results } from './checklist-entry.ts';
import type { Value } from './checklist-item.ts';
import { itemTypes } from './checklist-item.ts';

export const checklistFields = fieldsOf({
  id: ['uuid', 'e.id'],
  position: ['number', 'e.position'],
  title: ['text', 'e.title'],
  type: ['text', 'e.type', { values: itemTypes }],
  options: ['text', 'o.option', { anyOf: 'from unnest(e.options) o (option) where true' }],
  required: ['boolean', 'e.required'],
  result: ['text', 'e.result', { values: results }],
  // Boolean, number or text: no comparison fits all of them.
  value: ['object', 'e.value'],
  comment: ['text', 'e.comment'],
  customer: ['object', 'e.customer_id'],
  ...customerFields('customer.', 'e'),
  performedAt: ['date-time', 'e.performed_at'],
  dueDate: ['date', 'e.due_date'],
  ...blobFields('checklist', 'e'),
  createdAt: ['date-time', 'e.created_at'],
  updatedAt: ['date-time', 'e.updated_at'],
});

export const checklistColumns =
  'e.id, e.version, e.position, e.title, e.type, e.options, e.required, e.result, e.value, e.comment, ' +
  `${customerColumns('e')}, e.performed_at, e.due_date, e.created_at, e.updated_at`;

export type ChecklistRow = CustomerRow & {
  id: string;
  version: number;
  position: number;
  title: string;
  type: ChecklistEntry['type'];
  options: string[] | null;
  required: boolean;
  result: ChecklistEntry['result'] | null;
  value: Value | null;
  comment: string | null;
  performed_at: string | null;
  due_date: string | null;
  created_at: string;
  updated_at: string;
};

/** The entry without its files. */
export function entryOf(row: ChecklistRow): ChecklistEntry {
  const { result, performed_at: performedAt, due_date: dueDate } = row;
  const customer = customerOf(row);
  return {
    id: row.id,
    position: row.position,
    title: row.title,
    type: row.type,
    ...(row.options && { options: row.options }),
    required: row.required,
    ...(result && { result }),
    ...(row.value !== null && { value: row.value }),
    ...(row.comment !== null && { comment: row.comment }),
    ...(customer && { customer }),
    ...(performedAt !== null && { performedAt }),
    ...(dueDate !== null && { dueDate }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
