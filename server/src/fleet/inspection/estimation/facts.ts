export const usages = ['private', 'rental', 'taxi'] as const;
export const fuels = ['petrol', 'diesel', 'lpg', 'electric', 'hybrid'] as const;
export const categories = ['car', 'van'] as const;

export type Usage = (typeof usages)[number];
export type Fuel = (typeof fuels)[number];
export type Category = (typeof categories)[number];

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
  category: Category;
  odometer?: number;
  /** The day on which the vehicle was added: inspections due before it are taken for passed. */
  addedOn: string;
};
