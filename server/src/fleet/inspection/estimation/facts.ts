export const usages = ['private', 'rental', 'taxi'] as const;
export const fuels = ['petrol', 'diesel', 'lpg', 'electric', 'hybrid'] as const;
/** As in Directive 2007/46/EC and Regulation (EU) 2018/858; trailers and two- to four-wheelers are not told apart. */
export const vehicleClasses = ['M1', 'N1', 'N2', 'N3', 'M2', 'M3', 'O', 'L'] as const;

export type Usage = (typeof usages)[number];
export type Fuel = (typeof fuels)[number];
export type VehicleClass = (typeof vehicleClasses)[number];

/** All that an estimate is made from. Dates are calendar dates. */
export type Facts = {
  firstRegistrationDate?: string;
  /** The last one that was passed. */
  lastInspectionDate?: string;
  country: string;
  usage: Usage;
  /** Whether it is recorded, rather than private by default. */
  usageIsRecorded: boolean;
  fuel?: Fuel;
  vehicleClass: ClassFact;
  odometer?: number;
  /** The day on which the vehicle was added: inspections due before it are taken for passed. */
  addedOn: string;
};

/** The class that is recorded, or those that the model may have. */
export type ClassFact =
  | { recorded: VehicleClass }
  | { possible: readonly [VehicleClass, ...VehicleClass[]]; modelIsKnown: boolean };
