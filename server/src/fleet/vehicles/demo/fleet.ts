import type { ProviderRef } from '../../../platform/http/operation.ts';
import { type Random, randomFor } from '../../../platform/random/random.ts';
import type { DemoScope } from '../../demo-context.ts';
import type { Vehicle } from '../vehicle.ts';
import { along, type City, citiesOf, streetOf } from './cities.ts';
import { type Electric, electricOf } from './electric.ts';
import { mileageOf } from './mileage.ts';
import { type Model, models } from './models.ts';
import { frenchPlate, germanPlate } from './plates.ts';
import { registration } from './registration.ts';
import { nextService, type Services, servicesOf } from './service.ts';
import { type Stand, standOf } from './stand.ts';
import { standstillOf } from './standstill.ts';
import { status } from './status.ts';
import { vin } from './vin.ts';

const counts = { rich: 260, small: 20 };
const frenchMakes = ['Renault', 'Peugeot', 'Citroën', 'Dacia', 'Toyota', 'Tesla', 'Fiat'];
const frenchModels = models.filter(({ vendor }) => frenchMakes.includes(vendor));

/** A vehicle, and what the demo knows of its past. */
export type FleetMember = {
  vehicle: Vehicle;
  model: Model;
  home: City;
  registeredAt: number;
  electric?: Electric;
  stand?: Stand;
  standstill?: number;
  movedUntil: number;
  mileageAt(time: number): number;
  services: Services;
};

/** The vehicles of a provider. Only dates and what grows with time depend on the moment. */
export function demoFleet(scope: DemoScope): Vehicle[] {
  return fleetMembers(scope).map(({ vehicle }) => vehicle);
}

export function fleetMembers({ provider, extent, clock }: DemoScope): FleetMember[] {
  return Array.from({ length: counts[extent] }, (_, index) =>
    member(provider, index + 1, clock.now()),
  );
}

function member({ countryCode, code }: ProviderRef, sequence: number, now: Date): FleetMember {
  const id = `${countryCode}*${code}*V${String(sequence).padStart(4, '0')}`;
  const isFrench = countryCode === 'FR';
  const random = randomFor(id);
  const model = random.weighted(isFrench ? frenchModels : models);
  const home = random.weighted(citiesOf(countryCode));
  const registered = registration(model, isFrench, randomFor(`${id}/registration`));
  const registeredAt = Date.parse(registered.date);
  const trackGeolocation = !random.chance(0.05);
  const active = !(registered.date < '2024' && random.chance(0.12));
  const standstill = standstillOf(id, now);
  const { status: base, yearlyKm } = status(id, model, registeredAt, active, standstill, now);
  const told = {
    ...base,
    ...(trackGeolocation && { location: along(streetOf(home, sequence), random.between(-8, 8)) }),
  };
  const electric = electricOf(id, model);
  const stand = electric && standOf(id, told, electric);
  const movedUntil = standstill ?? stand?.since ?? Date.parse(base.lastUpdated ?? '');
  const { odometer = 0 } = base;
  const mileageAt = mileageOf({
    vehicleId: id,
    role: model.role,
    odometer,
    registeredAt,
    movedUntil,
  });
  const services = servicesOf({
    vehicleId: id,
    model,
    yearlyKm,
    registeredAt,
    now: now.getTime(),
    isFrench,
  });

  return {
    vehicle: {
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
        licensePlate: plate(home, model, registered.date, sequence, randomFor(`${id}/plate`)),
        seats: model.seats,
        firstRegistrationDate: registered.date,
        buildYear: registered.buildYear,
        ...(model.batteryKwh !== undefined && { evBatteryCapacity: model.batteryKwh }),
        ...(model.tankLitres !== undefined && { iceTankCapacity: model.tankLitres }),
        trackGeolocation,
      },
      status: {
        ...told,
        ...(active && nextService(model, services, { registeredAt, mileageAt, odometer })),
      },
    },
    model,
    home,
    registeredAt,
    ...(electric && { electric }),
    ...(stand && { stand }),
    ...(standstill !== undefined && { standstill }),
    movedUntil,
    mileageAt,
    services,
  };
}

function plate(city: City, model: Model, date: string, sequence: number, random: Random): string {
  return city.plateCode === undefined
    ? frenchPlate(date, sequence, random)
    : germanPlate(city.plateCode, sequence, model.batteryKwh !== undefined, random);
}
