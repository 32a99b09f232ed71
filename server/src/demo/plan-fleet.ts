import type { Events } from '../fleet/events.ts';
import { estimateInspections } from '../fleet/inspection/estimate-inspections.ts';
import { planMaintenance } from '../fleet/maintenance/plan-maintenance.ts';
import type { Vehicle } from '../fleet/vehicles/public.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { Clock } from '../platform/time/clock.ts';
import { insertRows } from './insert-rows.ts';
import { inspectionFacts, plannedByHand, schedulesOf } from './maintenance.ts';
import type { Records } from './records.ts';
import { uuidFor } from './uuid.ts';

const vehiclesAtOnce = 1_000;

/** Writes what people have planned and recorded, and lets the service plan all that follows from it. */
export async function planFleet(
  context: { tx: Queryable; events: Events; clock: Clock },
  provider: string,
  fleet: readonly Vehicle[],
  { logbook }: Records,
): Promise<void> {
  const { tx, clock } = context;
  const now = clock.now();
  const [country = ''] = provider.split('-');
  await insertRows(
    tx,
    'maintenance_schedules',
    schedulesOf(country).map(({ intervalMonths, intervalDistance, ...schedule }) => ({
      provider,
      id: uuidFor(`${provider}/schedule/${schedule.title}`),
      ...schedule,
      interval_months: intervalMonths,
      interval_distance: intervalDistance,
      created_at: now,
      updated_at: now,
    })),
  );
  await insertRows(
    tx,
    'maintenance_reports',
    plannedByHand(fleet, now).map(({ vehicleId, thing: { dueDate, dueOdometer, ...report } }) => ({
      provider,
      vehicle_id: vehicleId,
      id: uuidFor(`${vehicleId}/planned/${report.title}`),
      source: 'manual',
      ...report,
      due_date: dueDate,
      due_odometer: dueOdometer,
      created_at: now,
      updated_at: now,
    })),
  );
  const logbooks = Map.groupBy(logbook, ({ vehicleId }) => vehicleId);
  await insertRows(
    tx,
    'inspections',
    fleet.map((vehicle) => {
      const entries = (logbooks.get(vehicle.asset.id) ?? []).map(({ thing }) => thing);
      const { passedOn, ...facts } = inspectionFacts(vehicle, entries);
      return { provider, vehicle_id: vehicle.asset.id, version: 1, ...facts, passed_on: passedOn };
    }),
  );
  const ids = fleet.map(({ asset }) => asset.id);
  for (let start = 0; start < ids.length; start += vehiclesAtOnce) {
    const some = ids.slice(start, start + vehiclesAtOnce);
    await estimateInspections(context, provider, some);
    await planMaintenance(context, provider, some);
  }
}
