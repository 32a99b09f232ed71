import Type from 'typebox';
import { type CustomerData, readOfCustomer } from '../customer-data.ts';
import { exampleVehicle } from '../vehicles/public.ts';
import {
  type AssignmentRow,
  AssignmentSchema,
  assignmentOf,
  assignments,
  exampleAssignment,
} from './assignment.ts';

const { customer: _, ...period } = AssignmentSchema.properties;

const VehicleAssignmentSchema = Type.Object(
  {
    vehicleId: Type.String({
      description: 'The id of the vehicle.',
      examples: [exampleVehicle.asset.id],
    }),
    ...period,
  },
  { $id: 'VehicleAssignment', additionalProperties: false },
);

export const drivenVehicles: CustomerData = {
  tables: ['drivers', 'past_assignments'],
  records: {
    name: 'vehicles',
    description:
      'The vehicles that the customer drives and has driven, the last that was added first.',
    schema: VehicleAssignmentSchema,
    example: {
      vehicleId: exampleVehicle.asset.id,
      addedAt: exampleAssignment.addedAt,
      removedAt: exampleAssignment.removedAt,
    },
    async read(tx, _provider, customer, limit) {
      const searchable = {
        ...assignments,
        columns: `a.vehicle_id, ${assignments.columns}`,
        id: 'a.vehicle_id, a.id',
      };
      const { rows, totalEntries } = await readOfCustomer<AssignmentRow & { vehicle_id: string }>(
        tx,
        searchable,
        'a',
        customer,
        limit,
      );
      const items = rows.map((row) => {
        const { customer: _, ...dates } = assignmentOf(row);
        return { vehicleId: row.vehicle_id, ...dates };
      });
      return { items, totalEntries };
    },
  },
};
