import type { Vehicle } from '../fleet/vehicles/public.ts';
import { along, type City, frenchCities, germanCities, streetOf } from './cities.ts';
import { type Model, models } from './models.ts';
import { frenchPlate, germanPlate } from './plates.ts';
import { type Random, randomFor } from './random.ts';
import { registration } from './registration.ts';
import { status } from './status.ts';
import { vin } from './vin.ts';

type Provider = {
  country: string;
  code: string;
  count: number;
  cities: readonly City[];
  models: readonly Model[];
};

const FRENCH_MAKES = ['Renault', 'Peugeot', 'Citroën', 'Dacia', 'Toyota', 'Tesla', 'Fiat'];

const german: Provider = {
  country: 'DE',
  code: 'ABC',
  count: 260,
  cities: germanCities,
  models,
};

const french: Provider = {
  country: 'FR',
  code: 'XYZ',
  count: 20,
  cities: frenchCities,
  models: models.filter((model) => FRENCH_MAKES.includes(model.vendor)),
};

/** The vehicles of provider DE/ABC. Only dates and what grows with time depend on `now`. */
export function demoFleet(now: Date): Vehicle[] {
  return fleet(german, now);
}

/** The vehicles of provider FR/XYZ. */
export function smallDemoFleet(now: Date): Vehicle[] {
  return fleet(french, now);
}

function fleet(provider: Provider, now: Date): Vehicle[] {
  return Array.from({ length: provider.count }, (_, index) => vehicle(provider, index + 1, now));
}

function vehicle(provider: Provider, sequence: number, now: Date): Vehicle {
  const id = `${provider.country}*${provider.code}*V${String(sequence).padStart(4, '0')}`;
  const random = randomFor(id);
  const model = random.weighted(provider.models);
  const city = random.weighted(provider.cities);
  const registered = registration(model, randomFor(`${id}/registration`));
  const trackGeolocation = !random.chance(0.05);
  const active = !(registered.date < '2024' && random.chance(0.12));

  return {
    asset: {
      id,
      assetProviderCountryCode: provider.country,
      assetProviderCode: provider.code,
      active,
    },
    information: {
      vin: vin(model, registered.buildYear, randomFor(`${id}/vin`)),
      vendor: model.vendor,
      model: model.model,
      variant: model.variant,
      licensePlate: plate(city, model, registered.date, sequence, randomFor(`${id}/plate`)),
      seats: model.seats,
      firstRegistrationDate: registered.date,
      buildYear: registered.buildYear,
      ...(model.batteryKwh !== undefined && { evBatteryCapacity: model.batteryKwh }),
      ...(model.tankLitres !== undefined && { iceTankCapacity: model.tankLitres }),
      trackGeolocation,
    },
    status: {
      ...status(id, model, registered.date, active, now),
      ...(trackGeolocation && { location: along(streetOf(city, sequence), random.between(-8, 8)) }),
    },
  };
}

function plate(city: City, model: Model, date: string, sequence: number, random: Random): string {
  return city.plateCode === undefined
    ? frenchPlate(date, sequence, random)
    : germanPlate(city.plateCode, sequence, model.batteryKwh !== undefined, random);
}
