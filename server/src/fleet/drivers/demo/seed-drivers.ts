import { insertRows } from '../../../platform/db/insert-rows.ts';
import type { DemoContext } from '../../demo-context.ts';
import { customerRow } from '../../users/public.ts';
import { drivers } from './drivers.ts';

export async function seedDrivers(context: DemoContext): Promise<void> {
  const rows = drivers(context).map(({ vehicleId, customer, addedAt }) => ({
    provider: context.provider.id,
    vehicle_id: vehicleId,
    ...customerRow(customer),
    added_at: addedAt,
  }));
  await insertRows(context.tx, 'drivers', rows);
}
