import type { Incident } from '../fleet/incidents/incident.ts';
import type { LogbookEntry } from '../fleet/logbook/logbook-entry.ts';
import type { Customer } from '../fleet/users/public.ts';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import { DAY_MS, dayOf, type OfVehicle, recordedTime } from './history.ts';
import { everydayEvent } from './logbook-events.ts';
import { afterIncident, type Milestone, milestones } from './logbook-milestones.ts';
import { odometerAt } from './mileage.ts';
import { type Random, randomFor } from './random.ts';
import { uuidFor } from './uuid.ts';

/** The last two years of a vehicle in 6 to 20 entries, oldest first. */
export function logbook(
  vehicle: Vehicle,
  customers: readonly Customer[],
  incidents: readonly Incident[],
  now: Date,
): OfVehicle<LogbookEntry>[] {
  const { id } = vehicle.asset;
  const random = randomFor(`${id}/logbook`);
  const { first, last } = recordedTime(vehicle, now);
  const within = ({ time }: Milestone) => time >= first && time < last;

  const count = random.integer(6, 20);
  const years = [-2, -1, 0].map((ago) => now.getUTCFullYear() + ago);
  const happened = incidents.flatMap((incident) => afterIncident(incident, last, random));
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
      vehicleId: id,
      thing: entryOf(vehicle, milestone, index, customers, now),
    }));
}

function entryOf(
  vehicle: Vehicle,
  { time, event: { cents, ...event } }: Milestone,
  index: number,
  customers: readonly Customer[],
  now: Date,
): LogbookEntry {
  const id = uuidFor(`${vehicle.asset.id}/logbook/${index}`);
  const random = randomFor(id);
  const date = dayOf(time);
  // Written down in the evening of the day.
  const evening = Date.parse(date) + (17 + random.between(0, 4)) * (DAY_MS / 24);
  const createdAt = new Date(Math.min(Math.floor(evening), now.getTime())).toISOString();
  return {
    id,
    date,
    odometer: odometerAt(vehicle, time),
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
