import { dateIn } from '../../platform/time/time-zone.ts';
import type { Profile } from '../profile/public.ts';
import type { Usage, VehicleClass } from '../vehicle-use.ts';
import type { ClassFact, Facts, Fuel } from './estimation/facts.ts';
import { classOfModel } from './estimation/vehicle-class.ts';

/** Reads the facts of vehicles from `factsTables`. The category is what the previous release records. */
export const factsColumns = `
  v.first_registration_date, i.passed_on,
  coalesce(i.country, split_part(v.provider, '-', 1)) as country,
  i.usage,
  coalesce(i.fuel, case when v.ev_battery_capacity > 0 and coalesce(v.ice_tank_capacity, 0) = 0
                        then 'electric' end) as fuel,
  coalesce(i.vehicle_class, case when i.category = 'car' then 'M1' when i.category = 'van' then 'N1' end) as vehicle_class,
  v.vendor, v.model, v.variant, v.seats, s.odometer,
  v.created_at`;

export const factsTables = `
  vehicles v
  left join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
  left join inspections i on i.provider = v.provider and i.vehicle_id = v.id`;

export type FactsRow = {
  first_registration_date: string | null;
  passed_on: string | null;
  country: string;
  usage: Usage | null;
  fuel: Fuel | null;
  vehicle_class: VehicleClass | null;
  vendor: string | null;
  model: string | null;
  variant: string | null;
  seats: number | null;
  odometer: number | null;
  created_at: string;
};

/** The profile of the provider stands in for a class and a usage that are not recorded; dates are those of its time zone. */
export function factsOf(row: FactsRow, profile: Profile): Facts {
  return {
    ...(row.first_registration_date !== null && {
      firstRegistrationDate: row.first_registration_date,
    }),
    ...(row.passed_on !== null && { lastInspectionDate: row.passed_on }),
    country: row.country,
    usage: row.usage ?? profile.defaultUsage,
    usageIsRecorded: row.usage !== null,
    ...(row.fuel !== null && { fuel: row.fuel }),
    vehicleClass: classOf(row, profile),
    ...(row.odometer !== null && { odometer: row.odometer }),
    addedOn: dateIn(profile.timeZone, Date.parse(row.created_at)),
  };
}

function classOf(row: FactsRow, { defaultVehicleClass }: Profile): ClassFact {
  if (row.vehicle_class !== null) return { recorded: row.vehicle_class };
  if (defaultVehicleClass !== undefined) return { byDefault: defaultVehicleClass };
  return classOfModel(describedBy(row));
}

function describedBy({ vendor, model, variant, seats }: FactsRow) {
  return {
    ...(vendor !== null && { vendor }),
    ...(model !== null && { model }),
    ...(variant !== null && { variant }),
    ...(seats !== null && { seats }),
  };
}
