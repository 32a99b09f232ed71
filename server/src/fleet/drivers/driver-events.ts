import { ofVehicle, recordEvents } from '../record-events.ts';
import { customerColumns } from '../users/public.ts';
import { type DriverRow, DriverSchema, driverOf, exampleDriver } from './driver.ts';

export const driverEvents = recordEvents<DriverRow>({
  type: 'driver',
  name: 'Driver',
  description: 'A driver of a vehicle: `created` begins an assignment, and `deleted` ends it.',
  kinds: ['created', 'deleted'],
  table: 'drivers',
  alias: 'd',
  columns: `${customerColumns('d')}, d.added_at`,
  resource: driverOf,
  subject: ofVehicle('drivers'),
  schema: DriverSchema,
  example: exampleDriver,
});
