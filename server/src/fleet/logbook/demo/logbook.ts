import { type Random, randomFor } from '../../../platform/random/random.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import type { DemoScope } from '../../demo-context.ts';
import { demoCustomers } from '../../drivers/public.ts';
import { demoIncidents, type Incident } from '../../incidents/public.ts';
import type { Customer } from '../../users/public.ts';
import { type DemoVehicle, drawDemoVehicles, type OfVehicle } from '../../vehicles/public.ts';
import type { LogbookEntry } from '../logbook-entry.ts';
import { everydayEvent } from './logbook-events.ts';
import {
  afterIncident,
  type Milestone,
  milestones,
  passedInspection,
} from './logbook-milestones.ts';

const logbookCounts = { rich: 60, small: 5 };

/** The logbooks of some vehicles: first of those with incidents, so that they tell of them. */
export function logbooks(scope: DemoScope): OfVehicle<LogbookEntry>[] {
  const customers = demoCustomers(scope);
  const incidents = Map.groupBy(demoIncidents(scope), ({ vehicle }) => vehicle);
  return drawDemoVehicles(scope, 'logbooks')
    .sort((a, b) => Number(incidents.has(b)) - Number(incidents.has(a)))
    .slice(0, logbookCounts[scope.extent])
    .flatMap((vehicle) => {
      const happened = (incidents.get(vehicle) ?? []).map(({ entry }) => entry);
      const drivers = customers.get(vehicle.asset.id) ?? [];
      return logbook(vehicle, drivers, happened, scope.clock.now());
    });
}

/** The last two years of a vehicle in 6 to 20 entries, oldest first. */
function logbook(
  vehicle: DemoVehicle,
  customers: readonly Customer[],
  incidents: readonly Incident[],
  now: Date,
): OfVehicle<LogbookEntry>[] {
  const random = randomFor(`${vehicle.asset.id}/logbook`);
  const { first, last } = vehicle.recorded;
  const within = ({ time }: Milestone) => time >= first && time < last;

  const count = random.integer(6, 20);
  const years = [-2, -1, 0].map((ago) => now.getUTCFullYear() + ago);
  const happened = [
    ...incidents.flatMap((incident) => afterIncident(incident, last, random)),
    ...passedInspection(vehicle, random).filter(within),
  ];
  const due = shuffled(milestones(vehicle, years, random).filter(within), random);
  // At least half of what is left are everyday entries.
  const kept = due.slice(0, Math.floor((count - happened.length) / 2));
  const chosen = [...happened, ...kept];
  while (chosen.length < count) {
    const time = random.between(first, last);
    chosen.push({ time, event: everydayEvent(vehicle, random) });
  }
  return chosen
    .sort((a, b) => a.time - b.time)
    .map((milestone, index) => ({
      vehicle,
      entry: entryOf(vehicle, milestone, index, customers, now),
    }));
}

function entryOf(
  vehicle: DemoVehicle,
  { time, event: { cents, ...event } }: Milestone,
  index: number,
  customers: readonly Customer[],
  now: Date,
): LogbookEntry {
  const id = uuidFor(`${vehicle.asset.id}/logbook/${index}`);
  const random = randomFor(id);
  const date = dateOf(time);
  // Written down in the evening of the day.
  const evening = Date.parse(date) + (17 + random.between(0, 4)) * (DAY_MS / 24);
  const createdAt = new Date(Math.min(Math.floor(evening), now.getTime())).toISOString();
  return {
    id,
    date,
    odometer: vehicle.odometerAt(time),
    ...event,
    ...(cents !== undefined && { cost: { amount: cents, currency: 'EUR' } }),
    ...(customers.length > 0 && random.chance(0.7) && { customer: random.pick(customers) }),
    createdAt,
    updatedAt: createdAt,
  };
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
