import { withUnicodeCase } from '../../platform/search/text-sql.ts';
import { bounded, nextMultiple } from './odometer.ts';

// Rows rather than an array: the planner, which often knows nothing yet of tables just filled, then joins.
const askedFor = `unnest($2::text[]) asked (id) join vehicles v on v.provider = $1 and v.id = asked.id`;

/**
 * In SQL: the reports that vehicles in service ask for, by the schedules that are for them ($1 is the
 * provider, $2 the vehicles, $3 today), by what they tell themselves, and by when they are inspected.
 */
export const desiredReports = `
  select v.id as vehicle_id, 'schedule' as source, m.id as schedule_id, m.title, m.type,
    first_due.date as due_date, ${nextMultiple('s.odometer', 'm.interval_distance')} as due_odometer,
    m.interval_months, m.interval_distance, m.notes, null::date as last_done_date
  from ${askedFor}
  join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
  join maintenance_schedules m on m.provider = v.provider
    and ${isFor('m.vendor', 'v.vendor')} and ${isFor('m.model', 'v.model')}
  left join lateral (${firstDue()}) first_due on m.interval_months is not null
  where v.active
  union all
  select v.id, 'vehicle', null, 'Service due by the vehicle', 'service', s.next_service_date,
    ${bounded('s.next_service_odometer')}, null, null, null, null
  from ${askedFor}
  join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
  where v.active and (s.next_service_date is not null or s.next_service_odometer is not null)
  union all
  select v.id, 'inspection', null, 'Periodic inspection', 'inspection', i.estimated_date,
    null, null, null, null, i.passed_on
  from ${askedFor}
  join inspections i on i.provider = v.provider and i.vehicle_id = v.id
  where v.active and i.estimated_date is not null`;

/** A schedule that names no make or model is for all of them. */
function isFor(desired: string, column: string): string {
  return `(${desired} is null or lower(${withUnicodeCase(desired)}) = lower(${withUnicodeCase(column)}))`;
}

/**
 * From the first registration on in steps of the interval, the first that is not past; of a vehicle
 * without that date, a step from today. The step before today and the next are tried: months differ.
 */
function firstDue(): string {
  const anchor = 'coalesce(v.first_registration_date, $3::date)';
  const months = `(extract(year from $3::date) - extract(year from ${anchor})) * 12
    + extract(month from $3::date) - extract(month from ${anchor})`;
  return `
    select least(min(due.date), '9999-12-31') as date
    from (select floor((${months}) / m.interval_months)::integer as steps) passed,
      generate_series(passed.steps, passed.steps + 1) step,
      lateral (
        select (${anchor} + make_interval(months => greatest(step, 1) * m.interval_months))::date as date
      ) due
    where due.date >= $3::date`;
}
