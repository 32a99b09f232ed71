import { normalizedText } from '../../platform/search/text-sql.ts';
import { calendarDue } from './calendar-sql.ts';
import { boundedOdometer, nextMultiple } from './odometer-sql.ts';

// Rows rather than an array: PostgreSQL then plans a join, also without statistics on new tables.
const requestedVehicles = `unnest($2::text[]) requested (id)
  join vehicles v on v.provider = $1 and v.id = requested.id`;

/**
 * In SQL: the reports that active vehicles should have, by schedules, by their own telemetry and by the estimates
 * of their inspections. $1 is the provider, $2 the vehicles, $3 today.
 */
export const desiredReports = `
  select v.id as vehicle_id, 'schedule' as source, m.id as schedule_id, m.title, m.type,
    case when m.calendar_months is null then first_due.date
      else ${calendarDue('m.calendar_months', '$3::date')} end as due_date,
    ${nextMultiple('s.odometer', 'm.interval_distance')} as due_odometer,
    m.interval_months, m.interval_distance, m.notes, null::date as last_done_date,
    m.calendar_months, m.reminder_days, m.reminder_distance
  from ${requestedVehicles}
  join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
  join maintenance_schedules m on m.provider = v.provider
    and ${appliesTo('m.vendor', 'v.vendor')} and ${appliesTo('m.model', 'v.model')}
  left join lateral (${firstDue()}) first_due on m.interval_months is not null
  where v.active
  union all
  select v.id, 'vehicle', null, 'Service due by the vehicle', 'service', s.next_service_date,
    ${boundedOdometer('s.next_service_odometer')}, null, null, null, null, null, null, null
  from ${requestedVehicles}
  join vehicle_statuses s on s.provider = v.provider and s.vehicle_id = v.id
  where v.active and (s.next_service_date is not null or s.next_service_odometer is not null)
  union all
  select v.id, 'inspection', null, 'Periodic inspection', 'inspection', i.estimated_date,
    null, null, null, null, i.passed_on, null, null, null
  from ${requestedVehicles}
  join inspections i on i.provider = v.provider and i.vehicle_id = v.id
  where v.active and i.estimated_date is not null`;

/** A schedule without a make or a model applies to all of them. */
function appliesTo(scheduled: string, column: string): string {
  return `(${scheduled} is null or ${normalizedText(scheduled)} = ${normalizedText(column)})`;
}

/**
 * The first anniversary of the registration, by the interval, that is not past; without a registration, an
 * interval from today. Two candidates are compared, since months differ in length.
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
