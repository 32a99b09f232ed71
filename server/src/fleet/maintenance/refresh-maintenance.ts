import type { Queryable } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { millisecondsOf } from '../../platform/time/instant.ts';
import { dateIn } from '../../platform/time/time-zone.ts';
import { readCalendar } from '../profile/public.ts';
import { setReplanOdometers } from '../telemetry/public.ts';
import { lockVehicles } from '../vehicles/public.ts';
import { nextMultiple } from './odometer-sql.ts';
import {
  averageKmPerDay,
  type DueForecast,
  forecastDue,
  type Mileage,
  replanAtOdometer,
} from './planning/forecast.ts';

/** The transaction of a change, and the clock that it is planned by. */
export type PlanContext = { tx: Queryable; clock: Clock };

const historyMs = 90 * 86_400_000;
const sliceReports = 2_000;

/**
 * Updates the forecasts and statuses of the reports of vehicles, and the odometer at which they have to be refreshed
 * again. Writes only what has changed.
 */
export async function refreshMaintenance(
  { tx, clock }: PlanContext,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<void> {
  const locked = (await lockVehicles(tx, providerId, vehicleIds)).map((row) => row.vehicle_id);
  if (locked.length === 0) return;
  const now = clock.now();
  await tx.query(setFirstDue, [providerId, locked, now]);
  const since = new Date(now.getTime() - historyMs).toISOString();
  const statuses = await tx.query<StatusRow>(selectStatuses, [providerId, locked, since]);
  const { timeZone, today } = await readCalendar(tx, providerId, now);

  const replanOdometers: { vehicleId: string; odometer: number | null }[] = [];
  for (const slice of slicesOf(statuses)) {
    const ids = slice.map(({ vehicle_id }) => vehicle_id);
    const reports = Map.groupBy(
      await tx.query<ReportRow>(selectReports, [providerId, ids]),
      ({ vehicle_id }) => vehicle_id,
    );
    const forecasts: object[] = [];
    for (const status of slice) {
      const mileage = mileageOf(status, timeZone);
      const planned = reports.get(status.vehicle_id) ?? [];
      for (const report of planned) {
        const forecast = forecastDue(dueOf(report), mileage, today, windowOf(report));
        if (!isUnchanged(report, forecast)) {
          forecasts.push({ vehicle_id: report.vehicle_id, id: report.id, ...forecast });
        }
      }
      const distances = planned.flatMap((report) =>
        report.due_odometer === null
          ? []
          : { dueOdometer: report.due_odometer, ...windowOf(report) },
      );
      const odometer = replanAtOdometer(distances, status.odometer ?? undefined) ?? null;
      if (odometer !== status.replan_at_odometer) {
        replanOdometers.push({ vehicleId: status.vehicle_id, odometer });
      }
    }
    if (forecasts.length > 0)
      await tx.query(updateReports, [providerId, JSON.stringify(forecasts)]);
  }
  await setReplanOdometers(tx, providerId, replanOdometers);
}

/** Vehicles whose reports are forecast in one turn of the event loop; other requests have theirs between them. */
function slicesOf(statuses: readonly StatusRow[]): StatusRow[][] {
  const slices: StatusRow[][] = [];
  let reports = Infinity;
  for (const status of statuses) {
    reports += status.reports;
    if (reports > sliceReports) {
      slices.push([]);
      reports = status.reports;
    }
    slices.at(-1)?.push(status);
  }
  return slices;
}

type ReportRow = {
  vehicle_id: string;
  id: string;
  due_date: string | null;
  due_odometer: number | null;
  reminder_days: number | null;
  reminder_distance: number | null;
  status: DueForecast['status'];
  forecast_date: string | null;
  soonest: string | null;
};

type StatusRow = {
  vehicle_id: string;
  odometer: number | null;
  odometer_ms: number | null;
  replan_at_odometer: number | null;
  reports: number;
  first_ms: number | null;
  first_odometer: number | null;
  last_ms: number | null;
  last_odometer: number | null;
};

function dueOf({ due_date: dueDate, due_odometer: dueOdometer }: ReportRow) {
  return { dueDate: dueDate ?? undefined, dueOdometer: dueOdometer ?? undefined };
}

function windowOf(report: ReportRow) {
  return {
    reminderDays: report.reminder_days ?? undefined,
    reminderDistance: report.reminder_distance ?? undefined,
  };
}

function mileageOf(row: StatusRow, timeZone: string): Mileage | undefined {
  if (row.odometer === null) return undefined;
  const reading = (time: number | null, odometer: number | null) =>
    time === null || odometer === null ? undefined : { time, odometer };
  return {
    odometer: row.odometer,
    readOn: row.odometer_ms === null ? undefined : dateIn(timeZone, row.odometer_ms),
    kmPerDay: averageKmPerDay(
      reading(row.first_ms, row.first_odometer),
      reading(row.last_ms, row.last_odometer),
    ),
  };
}

function isUnchanged(row: ReportRow, { status, forecastDate, soonest }: DueForecast): boolean {
  return (
    row.status === status &&
    row.forecast_date === (forecastDate ?? null) &&
    row.soonest === (soonest ?? null)
  );
}

// A schedule that was planned before the first odometer reading (replan_at_odometer is then 0) counted from 0:
// with the first reading it is due at the next multiple.
const setFirstDue = `
  update maintenance_reports r set version = r.version + 1, updated_at = $3,
    due_odometer = ${nextMultiple('s.odometer', 'r.interval_distance')}
  from vehicle_statuses s
  where s.provider = $1 and s.vehicle_id = any($2) and s.replan_at_odometer = 0 and s.odometer is not null
    and r.provider = s.provider and r.vehicle_id = s.vehicle_id and r.source = 'schedule'
    and r.closed_at is null and r.last_done_odometer is null
    and r.due_odometer = r.interval_distance`;

const isPlanned = 'r.closed_at is null and not r.withdrawn';

const selectReports = `
  select vehicle_id, id, due_date, due_odometer, reminder_days, reminder_distance, status, forecast_date, soonest
  from maintenance_reports r
  where r.provider = $1 and r.vehicle_id = any($2) and ${isPlanned}`;

/** Further on, moments without an odometer are not searched for one: of a whole batch, that would take minutes. */
const searchedMoments = 20_000;

const readings = (order: 'asc' | 'desc') => `
  select (extract(epoch from h.time) * 1000)::double precision as ms, h.odometer
  from (
    select time, odometer, odometer_confirmed from vehicle_history
    where provider = $1 and vehicle_id = s.vehicle_id and time >= $3
    order by time ${order} limit ${searchedMoments}
  ) h
  where h.odometer is not null and h.odometer_confirmed is not false
  order by h.time ${order} limit 1`;

const selectStatuses = `
  with counted as materialized (
    select r.vehicle_id, count(*) as reports from maintenance_reports r
    where r.provider = $1 and r.vehicle_id = any($2) and ${isPlanned} group by r.vehicle_id
  )
  select s.vehicle_id, s.odometer, ${millisecondsOf('s.odometer_at')} as odometer_ms,
    s.replan_at_odometer, first.ms as first_ms, first.odometer as first_odometer,
    latest.ms as last_ms, latest.odometer as last_odometer, coalesce(counted.reports, 0) as reports
  from vehicle_statuses s
  left join lateral (${readings('asc')}) first on s.odometer is not null
  left join lateral (${readings('desc')}) latest on s.odometer is not null
  left join counted on counted.vehicle_id = s.vehicle_id
  where s.provider = $1 and s.vehicle_id = any($2)`;

const updateReports = `
  update maintenance_reports r
  set status = new.status, forecast_date = new."forecastDate", soonest = new.soonest
  from jsonb_to_recordset($2::jsonb)
    as new (vehicle_id text, id uuid, status text, "forecastDate" date, soonest date)
  where r.provider = $1 and r.vehicle_id = new.vehicle_id and r.id = new.id`;
