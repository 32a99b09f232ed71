import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { type Random, randomFor } from '../../../platform/random/random.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/time/duration.ts';
import type { DemoScope } from '../../demo-context.ts';
import { customersAt } from '../../drivers/public.ts';
import {
  type DemoVehicle,
  demoVehicles,
  duskOn,
  isWorkday,
  type OfVehicle,
} from '../../vehicles/public.ts';
import type { Incident } from '../incident.ts';
import { type Place, type Story, suits } from './incident-story.ts';
import { storiesAtRest } from './stories-at-rest.ts';
import { storiesOnTheRoad } from './stories-on-the-road.ts';

const MINUTE_MS = 60_000;

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
  const order = [...demoVehicles(scope)].sort((a, b) => a.lot('incident') - b.lot('incident'));
  const taken = new Set<DemoVehicle>();
  let last: DemoVehicle | undefined;
  return (scope.extent === 'rich' ? stories : few).flatMap((story) => {
    const suited = order.filter((one) => !taken.has(one) && fits(one, story, now));
    const driven = (one: DemoVehicle) => customersAt(scope, one, dayOf(one, story, now)).length > 0;
    const vehicle = story.sameVehicle ? last : (suited.find(driven) ?? suited[0]);
    last = vehicle;
    if (!vehicle) return [];
    taken.add(vehicle);
    return [{ vehicle, entry: incidentOf(scope, vehicle, story, now) }];
  });
});

function fits(vehicle: DemoVehicle, story: Story, now: Date): boolean {
  const { standstill, recorded } = vehicle;
  const { first, last } = recorded;
  const day = dayOf(vehicle, story, now);
  const standsSince = standstill && Math.floor(standstill / DAY_MS) * DAY_MS;
  return (
    vehicle.asset.active &&
    standsSince === (story.operable ? undefined : day) &&
    first < day - DAY_MS &&
    last > day + DAY_MS &&
    suits(vehicle, story.needs)
  );
}

/** A workday as long ago as told, or before that in a month in which such things happen. */
function dayOf({ isFrench }: DemoVehicle, { daysAgo, months }: Story, now: Date): number {
  let day = (Math.floor(now.getTime() / DAY_MS) - daysAgo) * DAY_MS;
  const isInSeason = () => !months || months.includes(new Date(day).getUTCMonth() + 1);
  while (!isInSeason() || !isWorkday(day, isFrench)) day -= DAY_MS;
  return day;
}

/** What cannot be driven stands still since it happened. */
function timeOf(vehicle: DemoVehicle, story: Story, now: Date, random: Random): number {
  if (vehicle.standstill !== undefined) return vehicle.standstill;
  const day = dayOf(vehicle, story, now);
  if (story.atDusk) return Math.floor(duskOn(day) + random.integer(-10, 25) * MINUTE_MS);
  // What nobody saw is found in the morning, or after shopping.
  const isFound = story.unattended && story.place !== 'supermarket car park';
  const [from, to] = isFound ? [5, 8] : [7, 17];
  return day + random.integer(from * 60, to * 60) * MINUTE_MS;
}

/** Within hours, or first thing the next morning. */
function reportedAt(happened: number, random: Random): number {
  const soon = happened + random.integer(12, 240) * MINUTE_MS;
  const midnight = Math.floor(happened / DAY_MS) * DAY_MS;
  const closes = midnight + 18 * HOUR_MS;
  return soon < closes ? soon : midnight + DAY_MS + random.integer(6 * 60, 8 * 60) * MINUTE_MS;
}

function locationOf({ home, addressNear }: DemoVehicle, place: Place, random: Random): string {
  if (place === 'motorway') return random.pick(home.motorways);
  if (place === 'country road') return random.pick(home.countryRoads);
  const address = addressNear(random);
  if (place === 'street') return address;
  return `${place.charAt(0).toUpperCase()}${place.slice(1)}, ${address}`;
}

function incidentOf(scope: DemoScope, vehicle: DemoVehicle, story: Story, now: Date): Incident {
  const id = uuidFor(`${vehicle.asset.id}/incident/${story.title}`);
  const random = randomFor(id);
  const happened = timeOf(vehicle, story, now, random);
  const drivers = customersAt(scope, vehicle, happened);
  const { notes, unattended, typedIn, stated } = story;
  return {
    id,
    ocrStatus: typedIn ? 'MANUAL' : stated ? 'PROCESSING' : 'NOT_STARTED',
    title: story.title,
    ...(!unattended && drivers.length > 0 && { customer: random.pick(drivers) }),
    vehicleOperable: story.operable,
    incidentTimestamp: new Date(happened).toISOString(),
    reportTimestamp: new Date(reportedAt(happened, random)).toISOString(),
    location: locationOf(vehicle, story.place, random),
    incidentType: story.incidentType,
    ...(!stated && { cause: story.cause }),
    ...(notes !== undefined && { notes }),
    ...(!stated && { description: story.description }),
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
