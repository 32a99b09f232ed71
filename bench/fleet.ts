import { chargedVehicles, incidentCount, incidentIdOf, incidentVehicle } from './data/records.ts';
import { vehicleAt, vehicleId } from './data/vehicles.ts';
import type { Environment } from './environment.ts';

/** What the scenarios request, known from how the data is generated. */

const sampleSize = 256;

/** Half of them are ends of VINs, half are plates. */
export function rareTextsOf(environment: Environment): string[] {
  return sampleVehicles(environment).map((index, number) => {
    const { vin, licensePlate } = vehicleAt(index, environment.idPrefix);
    return number % 2 === 0 ? String(vin).slice(-8) : String(licensePlate);
  });
}

/** Vehicles from the whole fleet; of many providers, from those that are queried. */
export function sampleVehicles({ vehicles, accesses }: Environment): number[] {
  return Array.from({ length: Math.min(sampleSize, vehicles) }, (_, number) =>
    accesses.length === 1 ? (number * 7_919) % vehicles : number % accesses.length,
  );
}

export function accessOf({ accesses }: Environment, vehicle: number): number {
  return vehicle % accesses.length;
}

export function chargedIds({ idPrefix }: Environment): string[] {
  return Array.from({ length: chargedVehicles }, (_, index) => vehicleId(index, idPrefix));
}

export function incidentsOf({ idPrefix }: Environment): { vehicle: string; id: string }[] {
  return Array.from({ length: incidentCount }, (_, number) => ({
    vehicle: incidentVehicle(number, idPrefix),
    id: incidentIdOf(number),
  }));
}

export function baseOf({ accesses }: Environment, access: number): string {
  const provider = accesses[access]?.provider;
  return `/api/fleets/v1/${provider?.countryCode}/${provider?.code}`;
}

export function providerOf({ accesses }: Environment): string {
  return accesses[0]?.provider.id ?? '';
}
