import type { Usage, VehicleClass } from '../../vehicle-use.ts';

export const fuels = ['petrol', 'diesel', 'lpg', 'electric', 'hybrid'] as const;
export type Fuel = (typeof fuels)[number];

/** All that an estimate is made from. Dates are calendar dates. */
export type Facts = {
  firstRegistrationDate?: string;
  /** The last one that was passed. */
  lastInspectionDate?: string;
  country: string;
  usage: Usage;
  /** Whether it is recorded, rather than the default of the provider. */
  usageIsRecorded: boolean;
  fuel?: Fuel;
  vehicleClass: ClassFact;
  odometer?: number;
  /** The day on which the vehicle was added: inspections due before it are taken for passed. */
  addedOn: string;
};

/** The class that is recorded, the default of the provider, or those that the model may have. */
export type ClassFact =
  | { recorded: VehicleClass }
  | { byDefault: VehicleClass }
  | { possible: readonly [VehicleClass, ...VehicleClass[]]; modelIsKnown: boolean };
