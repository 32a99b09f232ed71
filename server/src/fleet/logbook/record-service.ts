import type { Queryable } from '../../platform/db/database.ts';
import type { SubscriberContext } from '../dependencies.ts';
import type { FleetEvents } from '../events.ts';
import { announce } from '../files/public.ts';
import { logbookFiles } from './logbook-files.ts';

type Completed = FleetEvents['maintenanceCompleted'];

/** Maintenance that was done is an entry of the service history. Said again of the same day, it is the same entry. */
export async function recordService(
  completed: Completed,
  { tx, clock }: SubscriberContext,
): Promise<void> {
  const { providerId, vehicleId, entryId, type, cost } = completed;
  const now = clock.now();
  await tx.query(upsertEntry, [
    providerId,
    vehicleId,
    entryId,
    completed.date,
    completed.odometer ?? null,
    completed.title,
    completed.notes ?? null,
    cost?.amount ?? null,
    cost?.currency ?? null,
    type === 'service' ? [] : [type],
    completed.reportId,
    now,
    completed.isOdometerGiven,
  ]);
  await announceNew(tx, completed, now);
}

/** A repeated request does not announce its files twice. */
async function announceNew(
  tx: Queryable,
  { providerId, vehicleId, entryId, files }: Completed,
  now: Date,
): Promise<void> {
  if (files.length === 0) return;
  const present = await tx.query<{ filename: string }>(selectFiles, [providerId, entryId]);
  const names = new Set(present.map(({ filename }) => filename));
  for (const file of files.filter(({ filename }) => !names.has(filename)))
    await announce(tx, logbookFiles, providerId, { vehicleId, entryId }, file, now);
}

const selectFiles =
  "select filename from blobs where provider = $1 and owner = 'logbook' and entry_id = $2";

const upsertEntry = `
  insert into logbook_entries as e
    (provider, vehicle_id, id, date, odometer, category, title, description, cost_amount, cost_currency, tags,
     maintenance_report_id, created_at, updated_at)
  values ($1, $2, $3, $4, $5, 'service', $6, $7, $8, $9, $10, $11, $12, $12)
  on conflict (provider, vehicle_id, id) do update set
    version = e.version + 1, updated_at = excluded.updated_at,
    odometer = case when $13 then excluded.odometer else coalesce(e.odometer, excluded.odometer) end,
    description = coalesce(excluded.description, e.description),
    cost_amount = coalesce(excluded.cost_amount, e.cost_amount),
    cost_currency = coalesce(excluded.cost_currency, e.cost_currency)`;
