import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../platform/db/database.ts';
import { addMonths } from '../../platform/time/months.ts';
import { dateIn } from '../../platform/time/time-zone.ts';
import { readCalendar } from '../profile/public.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { afterCalendarDone, calendarDue } from './calendar-sql.ts';
import { desiredReports } from './desired-reports.ts';
import { type PlanContext, refreshMaintenance } from './refresh-maintenance.ts';

/**
 * Reconciles the reports of vehicles with their sources: schedules, the telemetry of the vehicles, and the estimates of
 * their inspections. It is idempotent.
 */
export async function planMaintenance(
  { tx, clock }: PlanContext,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<void> {
  const locked = (await lockVehicles(tx, providerId, vehicleIds)).map((row) => row.vehicle_id);
  if (locked.length === 0) return;
  // Schedules before reports: the order in which deleting a schedule locks them.
  const schedules = await tx.query(
    'select 1 from maintenance_schedules where provider = $1 order by id for key share',
    [providerId],
  );
  const now = clock.now();
  const calendar = await readCalendar(tx, providerId, now);
  const asPlanned =
    schedules.length === 0 ? [] : await findDueAsPlanned(tx, providerId, locked, calendar);
  // A plan that was made for one vehicle, or for few schedules, is not that for many.
  const run = locked.length > 1 ? tx.queryUnprepared : tx.query;
  await run(reconcileReports, [providerId, locked, calendar.today, now, asPlanned]);
  await refreshMaintenance({ tx, clock }, providerId, locked);
}

/**
 * Finds reports that are due an interval after the day on which they were planned, though they were changed since. The day
 * is not computed in SQL, since PostgreSQL may not know the zone.
 */
async function findDueAsPlanned(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
  { timeZone, today }: { timeZone: string; today: string },
): Promise<string[]> {
  const changed = await tx.query<ChangedRow>(selectChanged, [providerId, vehicleIds, today]);
  const found: string[] = [];
  for (const [index, { id, due_date, created_at, interval_months }] of changed.entries()) {
    // Others are served between slices.
    if (index > 0 && index % sliceSize === 0) await setImmediate();
    const plannedOn = dateIn(timeZone, Date.parse(created_at));
    if (due_date === addMonths(plannedOn, interval_months)) found.push(id);
  }
  return found;
}

const sliceSize = 1_000;

type ChangedRow = { id: string; due_date: string; created_at: string; interval_months: number };

// Vehicles report the remaining distance in steps, and dates by counting days: without a tolerance, the next
// message would reopen a completed service.
const toleranceDays = 7;
const toleranceKm = 200;

const noSchedule = '00000000-0000-0000-0000-000000000000';
const scheduleOf = (row: string) => `coalesce(${row}.schedule_id, '${noSchedule}')`;

const reportColumns = `
  vehicle_id, source, schedule_id, title, type, due_date, due_odometer, interval_months, interval_distance, notes,
  last_done_date, calendar_months, reminder_days, reminder_distance`;

// Each report that vehicles should have with the one that they have; either may be missing. A full join takes one pass,
// also of tables that have no statistics yet.
const comparedReports = `
  select r.vehicle_id as report_vehicle_id, r.id as report_id, d.*
  from (
    select vehicle_id, id, source, schedule_id from maintenance_reports
    where provider = $1 and vehicle_id = any($2) and source <> 'manual'
  ) r
  full join (${desiredReports}) d
    on d.vehicle_id = r.vehicle_id and d.source = r.source and ${scheduleOf('d')} = ${scheduleOf('r')}`;

// The vehicles are named again, so that without statistics, too, no others are read.
const isReport = `
  r.provider = $1 and r.vehicle_id = any($2) and r.vehicle_id = d.report_vehicle_id and r.id = d.report_id`;

const withdrawReports = `
  update maintenance_reports r set withdrawn = true, updated_at = $4::timestamptz
  from compared d
  where ${isReport} and d.vehicle_id is null and r.closed_at is null and not r.withdrawn`;

const monthsFromRegistration = `(
  (extract(year from r.due_date) - extract(year from v.first_registration_date)) * 12
  + extract(month from r.due_date) - extract(month from v.first_registration_date))::integer`;

// It was planned when another registration was known, or none. What is overdue stays so.
const mayHaveOtherRegistration = `
  r.last_done_date is null and r.due_date >= $3::date
  and r.due_date <> (v.first_registration_date
    + make_interval(months => ${monthsFromRegistration} / r.interval_months * r.interval_months))::date`;

/** How far a day of any time zone is from that of UTC, and the end of a month from itself. */
const zoneDays = 4;

const selectChanged = `
  select r.id, r.due_date, r.created_at, r.interval_months
  from maintenance_reports r join vehicles v on v.provider = r.provider and v.id = r.vehicle_id
  where r.provider = $1 and r.vehicle_id = any($2) and r.source = 'schedule' and r.closed_at is null
    and r.version > 1 and ${mayHaveOtherRegistration}
    and abs(r.due_date - ((r.created_at at time zone 'UTC')::date + make_interval(months => r.interval_months))::date) <= ${zoneDays}`;

// Nobody has set when it is due: the report was never changed, or it is due as planned.
const hasOtherRegistration = `(
  r.interval_months = d.interval_months and r.due_date <> d.due_date and ${mayHaveOtherRegistration}
  and (r.version = 1 or r.id = any($5::uuid[])))`;

// A due date that was completed or set by hand stays until the interval changes.
const updateFromSchedules = `
  update maintenance_reports r set
    version = r.version + 1, updated_at = $4::timestamptz, title = d.title, type = d.type, withdrawn = false,
    interval_months = d.interval_months, interval_distance = d.interval_distance,
    calendar_months = d.calendar_months, reminder_days = d.reminder_days, reminder_distance = d.reminder_distance,
    due_date = case
      when ${hasOtherRegistration} then d.due_date
      when (r.interval_months, r.calendar_months) is not distinct from (d.interval_months, d.calendar_months) then r.due_date
      when d.calendar_months is not null
        then ${calendarDue('d.calendar_months', `greatest($3::date, ${afterCalendarDone('d.calendar_months', 'r.last_done_date')})`)}
      else coalesce((r.last_done_date + make_interval(months => d.interval_months))::date, d.due_date)
    end,
    due_odometer = case
      when r.interval_distance is not distinct from d.interval_distance then r.due_odometer
      else coalesce(r.last_done_odometer + d.interval_distance, d.due_odometer)
    end
  from compared d join vehicles v on v.provider = $1 and v.id = any($2) and v.id = d.vehicle_id
  where ${isReport} and d.source = 'schedule' and r.closed_at is null
    and ((r.withdrawn, r.title, r.type, r.interval_months, r.interval_distance, r.calendar_months, r.reminder_days,
        r.reminder_distance)
      is distinct from (false, d.title, d.type, d.interval_months, d.interval_distance, d.calendar_months, d.reminder_days,
        d.reminder_distance)
      or ${hasOtherRegistration})`;

// An open service that the vehicle moves that far is the next one: nobody has said that the one before was done.
const updateFromSources = `
  update maintenance_reports r set
    version = r.version + 1, updated_at = $4::timestamptz, due_date = d.due_date, due_odometer = d.due_odometer,
    last_done_date = case when r.source = 'inspection' then d.last_done_date else r.last_done_date end,
    last_done_odometer = case
      when r.source <> 'inspection' or r.last_done_date = d.last_done_date then r.last_done_odometer end,
    reset_on = case
      when r.source <> 'vehicle' or r.closed_at is not null then null
      when d.due_date - r.due_date > ${toleranceDays} or d.due_odometer - r.due_odometer > ${toleranceKm} then $3::date
      else r.reset_on
    end,
    closed_at = null, done = false, withdrawn = false
  from compared d
  where ${isReport} and d.source <> 'schedule'
    and case
      when r.closed_at is null then
        (r.withdrawn, r.due_date, r.due_odometer) is distinct from (false, d.due_date, d.due_odometer)
        or r.source = 'inspection' and r.last_done_date is distinct from d.last_done_date
      when r.source = 'inspection' then r.due_date <> d.due_date
      else abs(r.due_date - d.due_date) > ${toleranceDays}
        or abs(r.due_odometer - d.due_odometer) > ${toleranceKm}
    end`;

const insertReports = `
  insert into maintenance_reports (provider, ${reportColumns}, created_at, updated_at)
  select $1, ${reportColumns}, $4::timestamptz, $4::timestamptz from compared where report_id is null`;

const reconcileReports = `
  with compared as materialized (${comparedReports}),
    withdrawn as (${withdrawReports}),
    updated_from_schedules as (${updateFromSchedules}),
    updated_from_sources as (${updateFromSources})
  ${insertReports}`;
