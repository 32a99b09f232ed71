import Type, { type Static } from 'typebox';
import { type CustomerRow, CustomerSchema, customerOf, exampleCustomer } from '../users/public.ts';

/** A customer who may drive a vehicle. */
export const DriverSchema = Type.Object(
  {
    ...CustomerSchema.properties,
    addedAt: Type.String({
      format: 'date-time',
      description: 'When the customer was added; adding again does not change it.',
    }),
  },
  { $id: 'Driver', additionalProperties: false },
);
export type Driver = Static<typeof DriverSchema>;

export const exampleDriver: Driver = { ...exampleCustomer, addedAt: '2026-11-15T08:30:00.000Z' };

export type DriverRow = CustomerRow & { added_at: string };

export function driverOf(row: DriverRow) {
  return { ...customerOf(row), addedAt: row.added_at };
}
