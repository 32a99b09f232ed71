import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import type { DemoScope } from '../../demo-context.ts';
import { type DemoVehicle, demoVehicles, type OfVehicle } from '../../vehicles/public.ts';

/** Something that somebody has planned by hand. */
export type PlannedByHand = {
  title: string;
  type: 'service' | 'repair' | 'tyres' | 'other';
  dueDate?: string;
  dueOdometer?: number;
  notes?: string;
};

type Plan = Omit<PlannedByHand, 'dueDate' | 'dueOdometer'> & {
  inDays?: number;
  inKm?: number;
  for?: (vehicle: DemoVehicle) => boolean;
};

const combustion = ({ model }: DemoVehicle) => model.tankLitres !== undefined;
const petrol = ({ model }: DemoVehicle) => model.drive === 'petrol' || model.drive === 'hybrid';
const van = ({ isVan }: DemoVehicle) => isVan;

const plans: readonly Plan[] = [
  { title: 'Replace the front brake pads', type: 'repair', inDays: -9, notes: 'They squeal.' },
  { title: 'Align the wheels', type: 'repair', inDays: -3, notes: 'Pulls to the right.' },
  { title: 'Renew the first-aid kit', type: 'other', inDays: 12 },
  { title: 'Replace the 12 V battery', type: 'repair', inDays: 21, notes: 'Weak in the cold.' },
  { title: 'New winter tyres', type: 'tyres', inDays: 5, notes: 'Tread below 4 mm.' },
  { title: 'Change the gearbox oil', type: 'service', inKm: 1_200, for: combustion },
  { title: 'Replace the timing belt', type: 'service', inKm: 9_000, for: combustion },
  { title: 'Replace the spark plugs', type: 'service', inKm: -350, for: petrol },
  { title: 'Clean the air conditioning', type: 'service', inDays: 64 },
  { title: 'Treat the scratches on the tailgate', type: 'repair', inDays: 40 },
  { title: 'Check the lashing points', type: 'other', inDays: 18, for: van },
  { title: 'Return the leased vehicle', type: 'other', inDays: 95, notes: 'Expert on site.' },
];

/** Each plan for one vehicle in service, none for the same. */
export function plannedByHand(scope: DemoScope): OfVehicle<PlannedByHand>[] {
  const now = scope.clock.now().getTime();
  const free = demoVehicles(scope)
    .filter(({ asset }) => asset.active)
    .sort((a, b) => a.lot('planned') - b.lot('planned'));
  return plans.flatMap(({ inDays, inKm, for: fits = () => true, ...plan }) => {
    const index = free.findIndex((vehicle) => fits(vehicle));
    const [vehicle] = index < 0 ? [] : free.splice(index, 1);
    if (!vehicle) return [];
    const { odometer = 0 } = vehicle.status;
    const entry = {
      ...plan,
      ...(inDays !== undefined && { dueDate: dateOf(now + inDays * DAY_MS) }),
      ...(inKm !== undefined && { dueOdometer: Math.max(0, odometer + inKm) }),
    };
    return [{ vehicle, entry }];
  });
}
