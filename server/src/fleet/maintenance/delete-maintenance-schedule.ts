import type { Database } from '../../platform/db/database.ts';
import { deleteMatching } from '../../platform/http/etag.ts';
import { operation, type ProviderRef } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { lockVehicles } from '../vehicles/public.ts';
import {
  changedMeanwhile,
  ifMatchHeader,
  scheduleKey,
  scheduleParameter,
} from './maintenance-schedule.ts';

export const deleteMaintenanceSchedule = operation({
  id: 'deleteMaintenanceSchedule',
  method: 'DELETE',
  path: '/maintenance-schedules/{scheduleId}',
  tag: 'Maintenance',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Delete a maintenance schedule',
  description: 'Deletes the schedule and its reports. A second call answers 404.',
  parameters: scheduleParameter,
  requestHeaders: ifMatchHeader,
  responses: { 204: { description: 'The schedule is deleted.' } },
  notFound: ['maintenance schedule'],
  problems: changedMeanwhile,
  async handler({ provider, parameters: { scheduleId }, header }, { db }: Dependencies) {
    const key = scheduleKey(provider, scheduleId);
    // Again for a vehicle that got a report before the schedule was locked.
    while (!(await deleteSchedule(db, provider, key, header('if-match'))));
    return { status: 204 };
  },
});

/** Vehicles before the schedule before its reports: the order in which planning locks them. */
async function deleteSchedule(
  db: Database,
  provider: ProviderRef,
  key: readonly string[],
  ifMatch: string | undefined,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const planned = await tx.query<{ vehicle_id: string }>(selectVehicles, key);
    const vehicleIds = planned.map(({ vehicle_id }) => vehicle_id);
    await lockVehicles(tx, provider.id, vehicleIds);
    await tx.query(lockSchedule, key);
    const others = await tx.query(selectOthers, [...key, vehicleIds]);
    if (others.length > 0) return false;
    await deleteMatching(tx, 'maintenance schedule', scheduleRow, key, ifMatch);
    return true;
  });
}

const selectVehicles = `
  select vehicle_id from maintenance_reports where provider = $1 and schedule_id = $2`;
const selectOthers = `
  ${selectVehicles}
    and not exists (select from unnest($3::text[]) as locked (id) where locked.id = vehicle_id)
  limit 1`;
const scheduleRow = 'maintenance_schedules where provider = $1 and id = $2';
const lockSchedule = `select from ${scheduleRow} for update`;
