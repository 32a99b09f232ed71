import type { Usage, VehicleClass } from '../vehicle-use.ts';
import type { Facts, Fuel } from './estimation/facts.ts';
import { classOfModel } from './estimation/vehicle-class.ts';

/** Reads the facts of vehicles from `factsTables`. The category is what the previous release records. */
export const factsColumns = `
  v.first_registration_date, i.passed_on,
  coalesce(i.country, split_part(v.provider, '-', 1)) as country,
  coalesce(i.usage, 'private') as usage, i.usage is not null as usage_is_recorded,
  coalesce(i.fuel, case when v.ev_battery_capacity > 0 and coalesce(v.ice_tank_capacity, 0) = 0
                        then 'electric' end) as fuel,
  coalesce(i.vehicle_class, case i.category when 'car' then 'M1' when 'van' then 'N1' end) as vehicle_class,
  v.vendor, v.model, v.variant, v.seats, s.odometer,
  (v.created_at at time zone 'UTC')::date as added_on`;

export const factsTables = `
  vehicles v
  left join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
  left join inspections i on i.provider = v.provider and i.vehicle_id = v.id`;

export type FactsRow = {
  first_registration_date: string | null;
  passed_on: string | null;
  country: string;
  usage: Usage;
  usage_is_recorded: boolean;
  fuel: Fuel | null;
  vehicle_class: VehicleClass | null;
  vendor: string | null;
  model: string | null;
  variant: string | null;
  seats: number | null;
  odometer: number | null;
  added_on: string;
};

export function factsOf(row: FactsRow): Facts {
  return {
    ...(row.first_registration_date !== null && {
      firstRegistrationDate: row.first_registration_date,
    }),
    ...(row.passed_on !== null && { lastInspectionDate: row.passed_on }),
    country: row.country,
    usage: row.usage,
    usageIsRecorded: row.usage_is_recorded,
    ...(row.fuel !== null && { fuel: row.fuel }),
    vehicleClass:
      row.vehicle_class === null ? classOfModel(describedBy(row)) : { recorded: row.vehicle_class },
    ...(row.odometer !== null && { odometer: row.odometer }),
    addedOn: row.added_on,
  };
}

function describedBy({ vendor, model, variant, seats }: FactsRow) {
  return {
    ...(vendor !== null && { vendor }),
    ...(model !== null && { model }),
    ...(variant !== null && { variant }),
    ...(seats !== null && { seats }),
  };
}
