import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { randomFor } from '../../../platform/random/random.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import { dateOf } from '../../../platform/time/instant.ts';
import type { DemoScope } from '../../demo-context.ts';
import { customersAt } from '../../drivers/public.ts';
import { demoIncidents, type Incident } from '../../incidents/public.ts';
import { type DemoVehicle, drawDemoVehicles, type OfVehicle } from '../../vehicles/public.ts';
import type { LogbookEntry } from '../logbook-entry.ts';
import { energyReceipts } from './energy-receipts.ts';
import { everydayEvents, type Milestone } from './logbook-events.ts';
import { afterIncident, milestones, passedInspection } from './logbook-milestones.ts';

/** What no driver pays. */
const office = ['tax', 'insurance'];

const logbookCounts = { rich: 60, small: 5 };

/** The logbooks of some vehicles: first of those with incidents, so that they tell of them. */
export const logbooks = memoizeByIdentity((scope: DemoScope): OfVehicle<LogbookEntry>[] => {
  const incidents = Map.groupBy(demoIncidents(scope), ({ vehicle }) => vehicle);
  return drawDemoVehicles(scope, 'logbooks')
    .sort((a, b) => Number(incidents.has(b)) - Number(incidents.has(a)))
    .slice(0, logbookCounts[scope.extent])
    .flatMap((vehicle) => {
      const happened = (incidents.get(vehicle) ?? []).map(({ entry }) => entry);
      return logbook(scope, vehicle, happened);
    });
});

/** All of the last two years of a vehicle, oldest first. */
function logbook(
  scope: DemoScope,
  vehicle: DemoVehicle,
  incidents: readonly Incident[],
): OfVehicle<LogbookEntry>[] {
  const random = randomFor(`${vehicle.asset.id}/logbook`);
  const { first, last } = vehicle.recorded;
  const thisYear = scope.clock.now().getUTCFullYear();
  const years = [-2, -1, 0].map((ago) => thisYear + ago);
  return [
    ...incidents.flatMap((incident) => afterIncident(vehicle, incident, random)),
    ...passedInspection(vehicle, random),
    ...milestones(vehicle, years, random),
    ...everydayEvents(vehicle, random),
    ...energyReceipts(vehicle),
  ]
    .filter(({ time }) => time >= first && time < last)
    .sort((a, b) => a.time - b.time)
    .map((milestone, index) => ({ vehicle, entry: entryOf(scope, vehicle, milestone, index) }));
}

function entryOf(
  scope: DemoScope,
  vehicle: DemoVehicle,
  { time, event: { cents, ...event } }: Milestone,
  index: number,
): LogbookEntry {
  const id = uuidFor(`${vehicle.asset.id}/logbook/${index}`);
  const random = randomFor(id);
  const date = dateOf(time);
  // Written down in the evening of the day.
  const evening = Date.parse(date) + (17 + random.between(0, 4)) * (DAY_MS / 24);
  const now = scope.clock.now().getTime();
  const createdAt = new Date(Math.min(Math.floor(evening), now)).toISOString();
  const hasDriver = !office.includes(event.category) && !ofIncident(event);
  const customers = hasDriver ? customersAt(scope, vehicle, time) : [];
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

/** It names the driver of the incident, or none. */
function ofIncident({ tags = [] }: Pick<LogbookEntry, 'tags'>): boolean {
  return tags.some((tag) => tag.startsWith('incident '));
}
