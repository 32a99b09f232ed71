import Type, { type Static } from 'typebox';
import { fieldsOf } from '../../platform/search/field.ts';
import type { Searchable } from '../../platform/search/searchable.ts';
import {
  type CustomerRow,
  CustomerSchema,
  customerColumns,
  customerFields,
  customerOf,
  exampleCustomer,
} from '../users/public.ts';

/** A period in which a customer was a driver of a vehicle. */
export const AssignmentSchema = Type.Object(
  {
    customer: Type.Optional(CustomerSchema),
    addedAt: Type.String({
      format: 'date-time',
      description: 'When the customer was added to the drivers.',
    }),
    removedAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description:
          'When the customer was removed, which is no longer part of the period; absent while the customer is a driver.',
      }),
    ),
  },
  { $id: 'Assignment', additionalProperties: false },
);

export const exampleAssignment: Static<typeof AssignmentSchema> = {
  customer: exampleCustomer,
  addedAt: '2026-10-02T07:15:00.000Z',
  removedAt: '2026-11-15T08:30:00.000Z',
};

export type AssignmentRow = CustomerRow & { added_at: string; removed_at: string | null };

export function assignmentOf(row: AssignmentRow) {
  const customer = customerOf(row);
  return {
    ...(customer && { customer }),
    addedAt: row.added_at,
    ...(row.removed_at !== null && { removedAt: row.removed_at }),
  };
}

const periodColumns = `provider, vehicle_id, customer_country_code, customer_provider_code, customer_id, added_at`;

/** Of the provider $1. The drivers of today have the nil id: a customer is one of them once. */
export const assignments: Searchable = {
  fields: fieldsOf({
    ...customerFields('customer.', 'a'),
    addedAt: ['date-time', 'a.added_at'],
    removedAt: ['date-time', 'a.removed_at'],
    updatedAt: ['date-time', 'coalesce(a.removed_at, a.added_at)'],
  }),
  columns: `${customerColumns('a')}, a.added_at, a.removed_at`,
  from: `(
    select ${periodColumns}, null::timestamptz(3) as removed_at, '00000000-0000-0000-0000-000000000000'::uuid as id
    from drivers where provider = $1
    union all
    select ${periodColumns}, removed_at, id from past_assignments where provider = $1
  ) a`,
  defaultOrder: ['a.added_at desc', 'a.customer_id'],
  id: 'a.id, a.customer_id, a.customer_country_code, a.customer_provider_code',
};
