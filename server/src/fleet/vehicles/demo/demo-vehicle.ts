import { memoizeByIdentity } from '../../../platform/memoize-by-identity.ts';
import { type Random, randomFor } from '../../../platform/random/random.ts';
import { DAY_MS } from '../../../platform/time/duration.ts';
import type { DemoScope } from '../../demo-context.ts';
import type { Vehicle } from '../vehicle.ts';
import { type City, citiesOf } from './cities.ts';
import { type Electric, electricOf } from './electric.ts';
import { demoFleet } from './fleet.ts';
import { mileageOf } from './mileage.ts';
import { findModel, type Model } from './models.ts';
import { roles } from './roles.ts';
import { type Stand, standOf } from './stand.ts';

/** A vehicle of the demo with all that the demo knows of its past, so that all records agree on it. */
export type DemoVehicle = Vehicle & {
  model: Model;
  isVan: boolean;
  isFrench: boolean;
  home: City;
  registeredAt: number;
  /** The time in which things happened to it: its last two years up to its newest signal. */
  recorded: { first: number; last: number };
  /** Absent where it has no plug. */
  electric?: Electric;
  /** Absent where its newest signal does not find it at a plug. */
  stand?: Stand;
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
  demoFleet(scope).map((vehicle) => demoVehicle(vehicle, scope.clock.now())),
);

/** Those in service that have been around for a while, in an order that is drawn by lot. */
export function drawDemoVehicles(scope: DemoScope, purpose: string): DemoVehicle[] {
  return demoVehicles(scope)
    .filter(({ asset, recorded }) => asset.active && recorded.last - recorded.first > 60 * DAY_MS)
    .sort((a, b) => a.lot(purpose) - b.lot(purpose));
}

function demoVehicle(vehicle: Vehicle, now: Date): DemoVehicle {
  const { asset, information, status } = vehicle;
  const model = modelOf(vehicle);
  const isFrench = asset.assetProviderCountryCode === 'FR';
  const home = homeOf(vehicle);
  const registeredAt = Date.parse(information.firstRegistrationDate ?? '');
  const last = Date.parse(status.lastUpdated ?? '');
  const electric = electricOf(asset.id, model);
  const stand = electric && standOf(vehicle, electric);
  const mileageAt = mileageOf(vehicle, model.role, {
    registeredAt,
    movedUntil: stand?.since ?? last,
  });
  return {
    ...vehicle,
    model,
    isVan: roles[model.role].kind === 'van',
    isFrench,
    home,
    registeredAt,
    recorded: {
      first: Math.max(registeredAt + 7 * DAY_MS, now.getTime() - TWO_YEARS_MS),
      last,
    },
    ...(electric && { electric }),
    ...(stand && { stand }),
    mileageAt,
    odometerAt: (time) => Math.round(mileageAt(time)),
    addressNear: (random) => addressIn(home, isFrench, random),
    lot: (purpose) =>
      asset.id.endsWith('*V0001') ? -1 : randomFor(`${asset.id}/${purpose}`).next(),
  };
}

function modelOf({ information }: Vehicle): Model {
  const found = findModel(information);
  if (found === undefined) {
    const { vendor, model, variant } = information;
    throw new RangeError(`No such model: ${vendor} ${model} ${variant}`);
  }
  return found;
}

/** By its plate in Germany; in France, where plates tell no town, by where it stands. */
function homeOf({ asset, information, status }: Vehicle): City {
  const { licensePlate = '' } = information;
  const { location } = status;
  const cities = citiesOf(asset.assetProviderCountryCode);
  const home = cities.find(({ plateCode, bounds }) =>
    plateCode === undefined
      ? location !== undefined && location.lat > bounds.south
      : licensePlate.startsWith(`${plateCode}-`),
  );
  return home ?? (cities[0] as City);
}

function addressIn(city: City, isFrench: boolean, random: Random): string {
  // What stands in brackets tells apart two points of one street.
  const street = random.pick(city.streets).name.replace(/ \(.*\)$/, '');
  const number = random.integer(2, 148);
  return isFrench ? `${number} ${street}, ${city.name}` : `${street} ${number}, ${city.name}`;
}
