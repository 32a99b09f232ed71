import type { LogbookEntry } from '../fleet/logbook/logbook-entry.ts';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import { DAY_MS, dayOf, isFrench, lotOf, modelOf, type OfVehicle } from './history.ts';
import type { Model } from './models.ts';
import { roles } from './roles.ts';

/** What a provider has done to its vehicles at regular intervals. */
export type Schedule = {
  title: string;
  type: 'service' | 'tyres' | 'other';
  intervalMonths?: number;
  intervalDistance?: number;
  vendor?: string;
  model?: string;
  notes?: string;
};

const tesla: Schedule = {
  title: 'Service',
  type: 'service',
  intervalMonths: 24,
  intervalDistance: 30_000,
  vendor: 'Tesla',
  notes: 'These tell no service of their own.',
};

const germanSchedules: readonly Schedule[] = [
  { title: 'Seasonal tyre change', type: 'tyres', intervalMonths: 6 },
  {
    title: 'Safety check',
    type: 'other',
    intervalMonths: 12,
    notes: 'By a competent person, as the employers’ liability insurance asks for.',
  },
  { title: 'Brake fluid change', type: 'service', intervalMonths: 24, vendor: 'VW', model: 'ID.3' },
  tesla,
];

const frenchSchedules: readonly Schedule[] = [
  { title: 'Annual check', type: 'service', intervalMonths: 12, intervalDistance: 20_000 },
  tesla,
];

export function schedulesOf(country: string): readonly Schedule[] {
  return country === 'FR' ? frenchSchedules : germanSchedules;
}

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
  for?: (model: Model) => boolean;
};

const combustion = ({ tankLitres }: Model) => tankLitres !== undefined;

const plans: readonly Plan[] = [
  { title: 'Replace the front brake pads', type: 'repair', inDays: -9, notes: 'They squeal.' },
  { title: 'Align the wheels', type: 'repair', inDays: -3, notes: 'Pulls to the right.' },
  { title: 'Renew the first-aid kit', type: 'other', inDays: 12 },
  { title: 'Replace the 12 V battery', type: 'repair', inDays: 21, notes: 'Weak in the cold.' },
  { title: 'New winter tyres', type: 'tyres', inDays: 5, notes: 'Tread below 4 mm.' },
  { title: 'Change the gearbox oil', type: 'service', inKm: 1_200, for: combustion },
  { title: 'Replace the timing belt', type: 'service', inKm: 9_000, for: combustion },
  { title: 'Replace the spark plugs', type: 'service', inKm: -350, for: petrolOnly },
  { title: 'Clean the air conditioning', type: 'service', inDays: 64 },
  { title: 'Treat the scratches on the tailgate', type: 'repair', inDays: 40 },
  { title: 'Check the lashing points', type: 'other', inDays: 18, for: vanOnly },
  { title: 'Return the leased vehicle', type: 'other', inDays: 95, notes: 'Expert on site.' },
];

function petrolOnly({ drive }: Model): boolean {
  return drive === 'petrol' || drive === 'hybrid';
}

function vanOnly({ role }: Model): boolean {
  return roles[role].kind === 'van';
}

/** Each plan for one vehicle in service, none for the same. */
export function plannedByHand(fleet: readonly Vehicle[], now: Date): OfVehicle<PlannedByHand>[] {
  const free = fleet
    .filter(({ asset }) => asset.active)
    .sort((a, b) => lotOf(a, 'planned') - lotOf(b, 'planned'));
  return plans.flatMap(({ inDays, inKm, for: fits = () => true, ...plan }) => {
    const index = free.findIndex((vehicle) => fits(modelOf(vehicle)));
    const [vehicle] = index < 0 ? [] : free.splice(index, 1);
    if (!vehicle) return [];
    const { odometer = 0 } = vehicle.status;
    const thing = {
      ...plan,
      ...(inDays !== undefined && { dueDate: dayOf(now.getTime() + inDays * DAY_MS) }),
      ...(inKm !== undefined && { dueOdometer: Math.max(0, odometer + inKm) }),
    };
    return [{ vehicleId: vehicle.asset.id, thing }];
  });
}

/** What somebody has recorded for the inspection of a vehicle. */
export type InspectionFacts = {
  passedOn?: string;
  usage?: 'private' | 'rental';
  fuel?: 'petrol' | 'diesel' | 'electric' | 'hybrid';
  category: 'car' | 'van';
};

const fuels = {
  battery: 'electric',
  'plug-in': 'hybrid',
  hybrid: 'hybrid',
  petrol: 'petrol',
  diesel: 'diesel',
} as const;

export function inspectionFacts(
  vehicle: Vehicle,
  logbook: readonly LogbookEntry[],
): InspectionFacts {
  const { drive, role } = modelOf(vehicle);
  const passed = logbook
    .filter(({ category }) => category === 'inspection')
    .map(({ date }) => date);
  const passedOn = passed.sort().at(-1);
  const rented = role === 'sharing' && !isFrench(vehicle);
  return {
    ...(passedOn !== undefined && { passedOn }),
    usage: rented ? 'rental' : 'private',
    fuel: fuels[drive],
    category: roles[role].kind,
  };
}
