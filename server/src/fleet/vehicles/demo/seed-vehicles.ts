import type { DemoContext } from '../../demo-context.ts';
import { writeVehicles } from '../vehicle-store.ts';
import { demoVehicles } from './demo-vehicle.ts';

export async function seedVehicles(context: DemoContext): Promise<void> {
  await writeVehicles(context, context.provider, demoVehicles(context));
}
