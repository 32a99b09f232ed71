import {
  type City,
  citiesOf,
  findModel,
  type Model,
  plugInKwhPerKm,
  type Street,
  type Vehicle,
  wallboxKw,
} from '../fleet/vehicles/public.ts';
import { randomFor } from '../platform/random/random.ts';
import { kmBetween, type Place } from './route.ts';

/** The constant properties of a simulated vehicle. */
export type Car = {
  id: string;
  /** Whether it sends its position. */
  tracked: boolean;
  /** Without `dcKw` it cannot use a fast charger. */
  battery?: { kwh: number; kwhPerKm: number; acKw: number; dcKw?: number };
  tank?: { litres: number; litresPerKm: number };
  streets: readonly Street[];
};

// For models without known consumption.
const defaultKwhPerKm = 0.18;
const defaultLitresPerKm = 0.065;
const defaultTankLitres = 50;

export function carOf({ asset, information, status }: Vehicle): Car {
  const { evBatteryCapacity: kwh, iceTankCapacity, trackGeolocation } = information;
  const litres = iceTankCapacity || (kwh ? undefined : defaultTankLitres);
  const model = findModel(information);
  const per100Km = model?.per100Km;
  const perKm = per100Km === undefined ? undefined : per100Km / 100;
  return {
    id: asset.id,
    tracked: trackGeolocation !== false,
    ...(kwh && {
      battery: {
        kwh,
        kwhPerKm: litres ? plugInKwhPerKm : (perKm ?? defaultKwhPerKm),
        acKw: Math.min(wallboxKw, model?.maxAcKw ?? wallboxKw),
        ...dcOf(kwh, litres !== undefined, model),
      },
    }),
    ...(litres && { tank: { litres, litresPerKm: perKm ?? defaultLitresPerKm } }),
    streets: streetsFor(asset.id, asset.assetProviderCountryCode, status.location),
  };
}

/** Of a model that is not known, a guess by the size of its battery; plug-in hybrids have none. */
function dcOf(kwh: number, hasTank: boolean, model: Model | undefined): { dcKw?: number } {
  if (hasTank) return {};
  const dcKw = model ? model.maxDcKw : Math.min(150, kwh * 1.4);
  return dcKw === undefined ? {} : { dcKw };
}

/** Those of the city it is in, or made-up ones around its position. */
function streetsFor(id: string, country: string, place: Place | undefined): readonly Street[] {
  if (!place) return randomFor(`${id}/town`).weighted(citiesOf(country)).streets;
  const town = ['DE', 'FR'].flatMap(citiesOf).find((city) => isIn(city, place));
  return town?.streets ?? streetsAround(id, place);
}

function isIn({ streets }: City, place: Place): boolean {
  const nearKm = 30;
  return streets.some((street) => kmBetween(street, place) < nearKm);
}

function streetsAround(id: string, { lat, lng }: Place): Street[] {
  const random = randomFor(`${id}/streets`);
  const degrees = 0.04;
  return Array.from({ length: 12 }, (_, index) => ({
    name: `Street ${index + 1}`,
    lat: lat + random.between(-degrees, degrees),
    lng: lng + random.between(-degrees, degrees),
    heading: random.integer(0, 359),
  }));
}
