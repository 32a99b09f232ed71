import type { ProviderRef } from '../../../platform/http/operation.ts';
import { type Random, randomFor } from '../../../platform/random/random.ts';
import type { DemoScope } from '../../demo-context.ts';
import type { Vehicle } from '../vehicle.ts';
import { along, type City, citiesOf, streetOf } from './cities.ts';
import { type Model, models } from './models.ts';
import { frenchPlate, germanPlate } from './plates.ts';
import { registration } from './registration.ts';
import { status } from './status.ts';
import { vin } from './vin.ts';

const counts = { rich: 260, small: 20 };
const frenchMakes = ['Renault', 'Peugeot', 'Citroën', 'Dacia', 'Toyota', 'Tesla', 'Fiat'];
const frenchModels = models.filter(({ vendor }) => frenchMakes.includes(vendor));

/** The vehicles of a provider. Only dates and what grows with time depend on the moment. */
export function demoFleet({ provider, extent, clock }: DemoScope): Vehicle[] {
  return Array.from({ length: counts[extent] }, (_, index) =>
    vehicle(provider, index + 1, clock.now()),
  );
}

function vehicle({ countryCode, code }: ProviderRef, sequence: number, now: Date): Vehicle {
  const id = `${countryCode}*${code}*V${String(sequence).padStart(4, '0')}`;
  const random = randomFor(id);
  const model = random.weighted(countryCode === 'FR' ? frenchModels : models);
  const city = random.weighted(citiesOf(countryCode));
  const registered = registration(model, randomFor(`${id}/registration`));
  const trackGeolocation = !random.chance(0.05);
  const active = !(registered.date < '2024' && random.chance(0.12));

  return {
    asset: {
      id,
      assetProviderCountryCode: countryCode,
      assetProviderCode: code,
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
