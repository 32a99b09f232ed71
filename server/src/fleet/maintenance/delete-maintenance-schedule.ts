import type { Database } from '../../platform/db/database.ts';
import { deleteMatching, requireMatchingRow } from '../../platform/http/etag.ts';
import { operation } from '../../platform/http/operation.ts';
import type { Dependencies } from '../dependencies.ts';
import { idsHash, lockSelectedVehicles } from '../vehicles/public.ts';
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
  workload: 'batch',
  async handler({ provider, parameters: { scheduleId }, header }, { db }: Dependencies) {
    const key = scheduleKey(provider, scheduleId);
    // Again where a vehicle got or lost its report before the schedule was locked.
    while (!(await deleteSchedule(db, key, header('if-match'))));
    return { status: 204 };
  },
});

/** Vehicles before the schedule before its reports: the order in which planning locks them. */
async function deleteSchedule(
  db: Database,
  key: readonly string[],
  ifMatch: string | undefined,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    await requireMatchingRow(tx, 'maintenance schedule', scheduleRow, key, ifMatch, '');
    const locked = await lockSelectedVehicles(tx, selectVehicles, key);
    await tx.query(lockSchedule, key);
    const [planned] = await tx.query<{ hash: string }>(selectHash, key);
    if (planned?.hash !== locked) return false;
    await deleteMatching(tx, 'maintenance schedule', scheduleRow, key, ifMatch);
    return true;
  });
}

const reports = 'maintenance_reports where provider = $1 and schedule_id = $2';
const selectVehicles = `select vehicle_id as id from ${reports}`;
const selectHash = `select ${idsHash('vehicle_id')} as hash from ${reports}`;
const scheduleRow = 'maintenance_schedules where provider = $1 and id = $2';
const lockSchedule = `select from ${scheduleRow} for update`;
