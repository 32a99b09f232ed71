import { insertRows } from '../../../platform/db/insert-rows.ts';
import type { DemoContext } from '../../demo-context.ts';
import { demoVehicles } from '../../vehicles/public.ts';
import { estimateInspections } from '../estimate-inspections.ts';
import { inspectionFacts } from './inspection-facts.ts';

/** Writes what people have recorded, and lets the service estimate the next inspections. */
export async function seedInspections(context: DemoContext): Promise<void> {
  const { tx, provider, clock } = context;
  const times = { created_at: clock.now(), updated_at: clock.now() };
  const rows = demoVehicles(context).map((vehicle) => {
    const { passedOn, vehicleClass, ...facts } = inspectionFacts(vehicle);
    const key = { provider: provider.id, vehicle_id: vehicle.asset.id, version: 1 };
    return { ...key, ...facts, vehicle_class: vehicleClass, passed_on: passedOn, ...times };
  });
  await insertRows(tx, 'inspections', rows);
  await estimateInspections(
    context,
    provider.id,
    rows.map((row) => row.vehicle_id),
  );
}
