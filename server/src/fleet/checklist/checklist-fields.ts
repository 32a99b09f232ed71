import type { Field } from '../../platform/search/field.ts';
import { blobFields } from '../files/blob.ts';
import {
  type CustomerRow,
  customerColumns,
  customerFields,
  customerOf,
} from '../users/customer.ts';
import { type ChecklistEntry, results } from './checklist-entry.ts';
import type { Value } from './checklist-item.ts';
import { itemTypes } from './checklist-item.ts';

/** What the entries of a checklist can be filtered and sorted by. */
export const checklistFields: readonly Field[] = [
  { path: 'id', type: 'uuid', column: 'e.id' },
  { path: 'position', type: 'number', column: 'e.position' },
  { path: 'title', type: 'text', column: 'e.title' },
  { path: 'type', type: 'text', column: 'e.type', values: itemTypes },
  {
    path: 'options',
    type: 'text',
    column: 'o.option',
    anyOf: 'from unnest(e.options) o (option) where true',
  },
  { path: 'required', type: 'boolean', column: 'e.required' },
  { path: 'result', type: 'text', column: 'e.result', values: results },
  // A truth, a number or words: no one comparison fits them all.
  { path: 'value', type: 'object', column: 'e.value' },
  { path: 'comment', type: 'text', column: 'e.comment' },
  { path: 'customer', type: 'object', column: 'e.customer_id' },
  ...customerFields('customer.', 'e'),
  { path: 'performedAt', type: 'date-time', column: 'e.performed_at' },
  { path: 'dueDate', type: 'date', column: 'e.due_date' },
  ...blobFields('checklist', 'e'),
  { path: 'createdAt', type: 'date-time', column: 'e.created_at' },
  { path: 'updatedAt', type: 'date-time', column: 'e.updated_at' },
];

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
