import { insertRows } from '../../../platform/db/insert-rows.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import type { DemoContext } from '../../demo-context.ts';
import { demoVehicles } from '../../vehicles/public.ts';
import { planMaintenance } from '../plan-maintenance.ts';
import { plannedByHand } from './planned-by-hand.ts';
import { schedulesOf } from './schedules.ts';

/** Writes what people have planned, and lets the service plan all that follows from it. */
export async function seedMaintenance(context: DemoContext): Promise<void> {
  const { tx, clock, provider } = context;
  const now = clock.now();
  await insertRows(
    tx,
    'maintenance_schedules',
    schedulesOf(provider.countryCode).map(
      ({ intervalMonths, intervalDistance, calendarMonths, reminderDays, ...schedule }) => ({
        provider: provider.id,
        id: uuidFor(`${provider.id}/schedule/${schedule.title}`),
        ...schedule,
        interval_months: intervalMonths,
        interval_distance: intervalDistance,
        calendar_months: calendarMonths,
        reminder_days: reminderDays,
        created_at: now,
        updated_at: now,
      }),
    ),
  );
  await insertRows(
    tx,
    'maintenance_reports',
    plannedByHand(context).map(({ vehicle, entry: { dueDate, dueOdometer, ...report } }) => ({
      provider: provider.id,
      vehicle_id: vehicle.asset.id,
      id: uuidFor(`${vehicle.asset.id}/planned/${report.title}`),
      source: 'manual',
      ...report,
      due_date: dueDate,
      due_odometer: dueOdometer,
      created_at: now,
      updated_at: now,
    })),
  );
  const ids = demoVehicles(context).map(({ asset }) => asset.id);
  await planMaintenance(context, provider.id, ids);
}
