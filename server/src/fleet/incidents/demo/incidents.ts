import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { randomFor } from '../../../platform/random/random.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { DemoScope } from '../../demo-context.ts';
import { demoCustomers } from '../../drivers/public.ts';
import type { Customer } from '../../users/public.ts';
import { type DemoVehicle, demoVehicles, type OfVehicle } from '../../vehicles/public.ts';
import type { Incident } from '../incident.ts';
import { type Story, suits } from './incident-story.ts';
import { storiesAtRest } from './stories-at-rest.ts';
import { storiesOnTheRoad } from './stories-on-the-road.ts';

const stories = [...storiesOnTheRoad, ...storiesAtRest];
const some = new Set([
  'Hit from behind in a traffic jam',
  'Stone chip in the windscreen',
  'Rim scraped along the kerb',
  'Reversed into a bollard',
  'Coffee spilled',
]);
const few = stories.filter(({ title }) => some.has(title));

/** Every story, or a few of them, each on a vehicle of its own that it could have happened to. */
export const demoIncidents = memoizeByIdentity((scope: DemoScope): OfVehicle<Incident>[] => {
  const now = scope.clock.now();
  const customers = demoCustomers(scope);
  const order = [...demoVehicles(scope)].sort((a, b) => a.lot('incident') - b.lot('incident'));
  const taken = new Set<DemoVehicle>();
  let last: DemoVehicle | undefined;
  return (scope.extent === 'rich' ? stories : few).flatMap((story) => {
    const vehicle = story.sameVehicle
      ? last
      : order.find((one) => !taken.has(one) && fits(one, story, now));
    last = vehicle;
    if (!vehicle) return [];
    taken.add(vehicle);
    const drivers = customers.get(vehicle.asset.id) ?? [];
    return [{ vehicle, entry: incidentOf(vehicle, story, drivers, now) }];
  });
});

function fits(vehicle: DemoVehicle, story: Story, now: Date): boolean {
  const { first, last } = vehicle.recorded;
  const time = now.getTime() - story.daysAgo * DAY_MS;
  return (
    vehicle.asset.active && first < time - DAY_MS && last > time && suits(vehicle, story.needs)
  );
}

function incidentOf(
  vehicle: DemoVehicle,
  story: Story,
  drivers: readonly Customer[],
  now: Date,
): Incident {
  const id = uuidFor(`${vehicle.asset.id}/incident/${story.title}`);
  const random = randomFor(id);
  const midnight = Math.floor((now.getTime() - story.daysAgo * DAY_MS) / DAY_MS) * DAY_MS;
  const minute = random.integer(6 * 60, 20 * 60);
  const happened = midnight + minute * 60_000;
  const reported = happened + random.integer(12 * 60, 20 * 3_600) * 1_000;
  const { notes, unattended, typedIn } = story;
  return {
    id,
    ocrStatus: typedIn ? 'MANUAL' : 'NOT_STARTED',
    title: story.title,
    ...(!unattended && drivers.length > 0 && { customer: random.pick(drivers) }),
    vehicleOperable: story.operable,
    incidentTimestamp: new Date(happened).toISOString(),
    reportTimestamp: new Date(reported).toISOString(),
    location: vehicle.addressNear(random),
    incidentType: story.incidentType,
    cause: story.cause,
    ...(notes !== undefined && { notes }),
    description: story.description,
    isResolved: story.resolved,
    ...(story.hits.length > 0 && {
      damages: story.hits.map(([position, damageType, severity, title, repaired]) => ({
        title,
        damageType,
        severity,
        repaired: repaired !== undefined,
        position,
      })),
    }),
  };
}
