import { insertRows } from '../../../platform/db/insert-rows.ts';
import type { DemoContext } from '../../demo-context.ts';
import { customerRow } from '../../users/public.ts';
import { type Driver, drivers } from './drivers.ts';
import { pastAssignments } from './past-assignments.ts';

export async function seedDrivers(context: DemoContext): Promise<void> {
  const rowOf = ({ vehicleId, customer, addedAt }: Driver) => ({
    provider: context.provider.id,
    vehicle_id: vehicleId,
    ...customerRow(customer),
    added_at: addedAt,
  });
  await insertRows(context.tx, 'drivers', drivers(context).map(rowOf));
  const past = pastAssignments(context).map((one) => ({
    ...rowOf(one),
    removed_at: one.removedAt,
  }));
  await insertRows(context.tx, 'past_assignments', past);
}
