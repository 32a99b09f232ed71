import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import type { DemoScope } from '../../demo-context.ts';
import {
  type DemoVehicle,
  demoVehicles,
  engineOf,
  type OfVehicle,
  treadAt,
  workdayFrom,
} from '../../vehicles/public.ts';

/** Something that somebody has planned by hand. */
export type PlannedByHand = {
  title: string;
  type: 'service' | 'repair' | 'tyres' | 'other';
  dueDate?: string;
  dueOdometer?: number;
  notes?: string;
};

/** A time, a distance or both; nothing where the vehicle does not need it. */
type Due = { time?: number; odometer?: number };
type Plan = Pick<PlannedByHand, 'title' | 'type' | 'notes'> & {
  due: (vehicle: DemoVehicle, now: number) => Due | undefined;
};

const inDays =
  (days: number, isFor: (vehicle: DemoVehicle, now: number) => boolean = () => true): Plan['due'] =>
  (vehicle, now) =>
    isFor(vehicle, now) ? { time: now + days * DAY_MS } : undefined;

const inKm =
  (km: number, isFor: (vehicle: DemoVehicle) => boolean): Plan['due'] =>
  (vehicle) =>
    isFor(vehicle) ? { odometer: Math.round((odometerOf(vehicle) + km) / 100) * 100 } : undefined;

const odometerOf = ({ status }: DemoVehicle) => status.odometer ?? 0;
const hasDriven = (km: number) => (vehicle: DemoVehicle) => odometerOf(vehicle) > km;
const burns = ({ model }: DemoVehicle) => model.tankLitres !== undefined;
/** The other half may have it done already, as their logbooks tell. */
const isLeft = (vehicle: DemoVehicle, work: string) => vehicle.lot(work) >= 0.5;
const hasAutomatic = ({ model }: DemoVehicle) =>
  /GTE|eHybrid|iV|TFSI e|320d|520d/.test(model.variant);
const isOld = (years: number) => (vehicle: DemoVehicle, now: number) =>
  now - vehicle.registeredAt > years * 365 * DAY_MS;

const plans: readonly Plan[] = [
  {
    title: 'Replace the front brake pads',
    type: 'repair',
    due: inDays(
      -9,
      (vehicle) => burns(vehicle) && hasDriven(45_000)(vehicle) && isLeft(vehicle, 'brakes'),
    ),
    notes: 'They squeal.',
  },
  {
    title: 'Align the wheels',
    type: 'repair',
    due: inDays(-3, hasDriven(10_000)),
    notes: 'Pulls to the right.',
  },
  {
    title: 'Renew the first-aid kit',
    type: 'other',
    due: inDays(12, (vehicle, now) => isOld(4)(vehicle, now) && isLeft(vehicle, 'first-aid kit')),
  },
  {
    title: 'Replace the 12 V battery',
    type: 'repair',
    due: inDays(
      21,
      (vehicle, now) => burns(vehicle) && isOld(4)(vehicle, now) && isLeft(vehicle, 'battery'),
    ),
    notes: 'Weak according to the last test.',
  },
  {
    title: 'New winter tyres',
    type: 'tyres',
    due: newTyres('winter'),
    notes: 'Tread below 4 mm.',
  },
  {
    title: 'New summer tyres',
    type: 'tyres',
    due: newTyres('summer'),
    notes: 'Tread below 4 mm.',
  },
  {
    title: 'Change the gearbox oil',
    type: 'service',
    due: inKm(1_200, (vehicle) => hasAutomatic(vehicle) && hasDriven(55_000)(vehicle)),
  },
  { title: 'Replace the timing belt', type: 'service', due: timingBelt },
  {
    title: 'Replace the spark plugs',
    type: 'service',
    due: inKm(-350, (vehicle) => vehicle.model.drive === 'petrol' && hasDriven(45_000)(vehicle)),
  },
  { title: 'Clean the air conditioning', type: 'service', due: inDays(64, isOld(2)) },
  {
    title: 'Treat the scratches on the tailgate',
    type: 'repair',
    due: inDays(40, ({ isVan }) => !isVan),
  },
  { title: 'Check the lashing points', type: 'other', due: inDays(18, ({ isVan }) => isVan) },
  {
    title: 'Return the leased vehicle',
    type: 'other',
    due: endOfLease,
    notes: 'Handover with an expert.',
  },
];

/** Each plan for one vehicle in service, none for the same. */
export function plannedByHand(scope: DemoScope): OfVehicle<PlannedByHand>[] {
  const now = scope.clock.now().getTime();
  const free = new Set(
    demoVehicles(scope)
      .filter(({ asset, standstill }) => asset.active && standstill === undefined)
      .sort((a, b) => a.lot('planned') - b.lot('planned')),
  );
  return plans.flatMap(({ due, ...plan }) => {
    for (const vehicle of free) {
      const found = due(vehicle, now);
      if (!found) continue;
      free.delete(vehicle);
      const { time, odometer } = found;
      const entry = {
        ...plan,
        ...(time !== undefined && { dueDate: dateOf(workdayFrom(time, vehicle.isFrench)) }),
        ...(odometer !== undefined && { dueOdometer: odometer }),
      };
      return [{ vehicle, entry }];
    }
    return [];
  });
}

const seasonStarts = { summer: 3, winter: 9 } as const;
const otherSeason = { summer: 'winter', winter: 'summer' } as const;

/** Of the season that begins next, in the first weeks of it; nobody wants them in France. */
function newTyres(season: 'summer' | 'winter'): Plan['due'] {
  return (vehicle, now) => {
    if (vehicle.isFrench || treadAt(vehicle, now) >= 4) return undefined;
    const start = nextStart(season, now);
    return start < nextStart(otherSeason[season], now) ? { time: start } : undefined;
  };
}

function nextStart(season: 'summer' | 'winter', now: number): number {
  const year = new Date(now).getUTCFullYear();
  const [thisYear, nextYear] = [year, year + 1].map((each) =>
    Date.UTC(each, seasonStarts[season], 8),
  ) as [number, number];
  return thisYear > now ? thisYear : nextYear;
}

/** Where the engine has a belt that is due within a year by age, or soon by distance. */
function timingBelt(vehicle: DemoVehicle, now: number): Due | undefined {
  const belt = engineOf(vehicle.model)?.belt;
  if (!belt) return undefined;
  const time = belt.years && yearsAfter(vehicle.registeredAt, belt.years);
  const byAge = time !== undefined && time > now && time < now + 365 * DAY_MS;
  const leftKm = belt.km - odometerOf(vehicle);
  const byDistance = leftKm > 0 && leftKm < 15_000;
  if (!byAge && !byDistance) return undefined;
  return { odometer: belt.km, ...(time !== undefined && { time }) };
}

/** After three or four years to the day. */
function endOfLease({ registeredAt, model }: DemoVehicle, now: number): Due | undefined {
  if (model.role !== 'sales') return undefined;
  const ends = [3, 4].map((years) => yearsAfter(registeredAt, years));
  const time = ends.find((end) => end > now + 45 * DAY_MS && end < now + 200 * DAY_MS);
  return time === undefined ? undefined : { time };
}

function yearsAfter(time: number, years: number): number {
  const date = new Date(time);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}
