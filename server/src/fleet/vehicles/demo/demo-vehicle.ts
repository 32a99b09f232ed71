import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { type Random, randomFor } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { DemoScope } from '../../demo-context.ts';
import type { Vehicle } from '../vehicle.ts';
import type { City } from './cities.ts';
import type { Electric } from './electric.ts';
import { type FleetMember, fleetMembers } from './fleet.ts';
import type { Model } from './models.ts';
import { roles } from './roles.ts';
import type { Services } from './service.ts';
import type { Stand } from './stand.ts';

/** A vehicle of the demo with all that the demo knows of its past, so that all records agree on it. */
export type DemoVehicle = Vehicle & {
  model: Model;
  isVan: boolean;
  isFrench: boolean;
  home: City;
  registeredAt: number;
  services: Services;
  /** The time in which things happened to it: its last two years up to its newest signal. */
  recorded: { first: number; last: number };
  /** Absent where it has no plug. */
  electric?: Electric;
  /** Absent where its newest signal does not find it at a plug. */
  stand?: Stand;
  /** Since when it cannot be driven; absent where it can. */
  standstill?: number;
  /** Its odometer stands still since then. */
  movedUntil: number;
  /** The odometer at any moment, in tenths of a km. */
  mileageAt(time: number): number;
  /** The same in whole km, as people write it down. */
  odometerAt(time: number): number;
  /** An address in its town. */
  addressNear(random: Random): string;
  /** A number below 1 by which vehicles are chosen: the lowest is that of the one that the documentation names. */
  lot(purpose: string): number;
};

/** A record of the demo, and the vehicle that it belongs to. */
export type OfVehicle<Entry> = { vehicle: DemoVehicle; entry: Entry };

const TWO_YEARS_MS = 730 * DAY_MS;

/** The vehicles of a provider of the demo. */
export const demoVehicles = memoizeByIdentity((scope: DemoScope): readonly DemoVehicle[] =>
  fleetMembers(scope).map((member) => demoVehicle(member, scope.clock.now())),
);

/** Those in service that have been around for a while, in an order that is drawn by lot. */
export function drawDemoVehicles(scope: DemoScope, purpose: string): DemoVehicle[] {
  return demoVehicles(scope)
    .filter(({ asset, recorded }) => asset.active && recorded.last - recorded.first > 60 * DAY_MS)
    .sort((a, b) => a.lot(purpose) - b.lot(purpose));
}

function demoVehicle({ vehicle, ...member }: FleetMember, now: Date): DemoVehicle {
  const { asset, status } = vehicle;
  const { model, home, registeredAt, mileageAt } = member;
  const isFrench = asset.assetProviderCountryCode === 'FR';
  return {
    ...vehicle,
    ...member,
    isVan: roles[model.role].kind === 'van',
    isFrench,
    recorded: {
      first: Math.max(registeredAt + 7 * DAY_MS, now.getTime() - TWO_YEARS_MS),
      last: Date.parse(status.lastUpdated ?? ''),
    },
    odometerAt: (time) => Math.round(mileageAt(time)),
    addressNear: (random) => addressIn(home, isFrench, random),
    lot: (purpose) =>
      asset.id.endsWith('*V0001') ? -1 : randomFor(`${asset.id}/${purpose}`).next(),
  };
}

function addressIn(city: City, isFrench: boolean, random: Random): string {
  // What stands in brackets tells apart two points of one street.
  const street = random.pick(city.streets).name.replace(/ \(.*\)$/, '');
  const number = random.integer(2, 148);
  return isFrench ? `${number} ${street}, ${city.name}` : `${street} ${number}, ${city.name}`;
}
