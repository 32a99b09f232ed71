import { dateOf } from '../../platform/time/instant.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { desiredReports } from './desired-reports.ts';
import { type Planner, refreshMaintenance } from './refresh-maintenance.ts';

/**
 * Brings the reports of vehicles in line with what they come from: schedules, what the vehicles tell
 * themselves, and estimates of their inspections. However often it is done, there is one of each.
 */
export async function planMaintenance(
  { tx, clock }: Planner,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<void> {
  const locked = (await lockVehicles(tx, providerId, vehicleIds)).map((row) => row.vehicle_id);
  if (locked.length === 0) return;
  // Before any report: who deletes a schedule locks them in this order.
  await tx.query(
    'select 1 from maintenance_schedules where provider = $1 order by id for key share',
    [providerId],
  );
  const now = clock.now();
  await tx.query(plan, [providerId, locked, dateOf(now), now]);
  await refreshMaintenance({ tx, clock }, providerId, locked);
}

// Vehicles tell the distance that is left in steps, and dates by counting days: one that is done
// would be back with the next message if it were taken at its word.
const sameDays = 7;
const sameKm = 200;

const ofDesired = `
  r.provider = $1 and r.vehicle_id = w.vehicle_id and r.source = w.source
  and r.schedule_id is not distinct from w.schedule_id`;

const withdraw = `
  update maintenance_reports r set withdrawn = true, updated_at = $4::timestamptz
  where r.provider = $1 and r.vehicle_id = any($2) and r.source <> 'manual'
    and r.closed_at is null and not r.withdrawn
    and not exists (select 1 from desired w where ${ofDesired})`;

// A day that was rolled on or set by hand stays until the interval is another.
const followSchedules = `
  update maintenance_reports r set
    version = r.version + 1, updated_at = $4::timestamptz, title = w.title, type = w.type, withdrawn = false,
    interval_months = w.interval_months, interval_distance = w.interval_distance,
    due_date = case
      when r.interval_months is not distinct from w.interval_months then r.due_date
      else coalesce((r.last_done_date + make_interval(months => w.interval_months))::date, w.due_date)
    end,
    due_odometer = case
      when r.interval_distance is not distinct from w.interval_distance then r.due_odometer
      else coalesce(r.last_done_odometer + w.interval_distance, w.due_odometer)
    end
  from desired w
  where ${ofDesired} and w.source = 'schedule' and r.closed_at is null
    and (r.withdrawn, r.title, r.type, r.interval_months, r.interval_distance)
      is distinct from (false, w.title, w.type, w.interval_months, w.interval_distance)`;

const followOrigins = `
  update maintenance_reports r set
    version = r.version + 1, updated_at = $4::timestamptz, due_date = w.due_date, due_odometer = w.due_odometer,
    last_done_date = case when r.source = 'inspection' then w.last_done_date else r.last_done_date end,
    closed_at = null, withdrawn = false
  from desired w
  where ${ofDesired} and w.source <> 'schedule'
    and case
      when r.closed_at is null then
        (r.withdrawn, r.due_date, r.due_odometer) is distinct from (false, w.due_date, w.due_odometer)
        or r.source = 'inspection' and r.last_done_date is distinct from w.last_done_date
      when r.source = 'inspection' then r.due_date <> w.due_date
      else abs(r.due_date - w.due_date) > ${sameDays}
        or abs(r.due_odometer - w.due_odometer) > ${sameKm}
    end`;

const add = `
  insert into maintenance_reports (provider, vehicle_id, source, schedule_id, title, type,
    due_date, due_odometer, interval_months, interval_distance, notes, last_done_date,
    created_at, updated_at)
  select $1, w.*, $4::timestamptz, $4::timestamptz from desired w
  where not exists (select 1 from maintenance_reports r where ${ofDesired})`;

const plan = `
  with desired as materialized (${desiredReports}),
    withdrawn as (${withdraw}),
    following_schedules as (${followSchedules}),
    following_origins as (${followOrigins})
  ${add}`;
