import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { appendReadings, canAppend } from './append-readings.ts';
import { mergeIntoHistory, type Sent } from './merge-into-history.ts';
import type { Outcome, Reading } from './merge-readings.ts';
import { type LockedStatus, lockStatuses } from './status-store.ts';

/** A message whose sender is known. */
export type VehicleReading = Reading & { vehicleId: string };

/** What became of it; a position that may not be kept is ignored. */
export type Ingested =
  | { result: Outcome; ignored?: ['location'] }
  | { result: 'rejected'; reason: 'unknown_vehicle' | 'position_not_kept' };

/** Merges messages into the statuses and the history of their vehicles; answers in their order. */
export async function ingest(
  tx: Queryable,
  provider: ProviderRef,
  readings: readonly VehicleReading[],
  chargingGapMs: number,
): Promise<Ingested[]> {
  const byVehicle = Map.groupBy(readings, ({ vehicleId }) => vehicleId);
  const news = new Map<VehicleReading, LockedStatus>();
  const rest: Sent[] = [];
  for (const locked of await lockStatuses(tx, provider.id, [...byVehicle.keys()])) {
    const sent = byVehicle.get(locked.vehicleId) ?? [];
    const [first] = sent;
    if (first && sent.length === 1 && canAppend(first, locked)) news.set(first, locked);
    else rest.push({ locked, readings: sent });
  }
  await appendReadings(tx, provider.id, news);
  const merged = await mergeIntoHistory(tx, provider.id, rest, chargingGapMs);
  return readings.map((reading) =>
    news.has(reading) ? accepted : (merged.get(reading) ?? unknownVehicle),
  );
}

const accepted: Ingested = { result: 'accepted' };
const unknownVehicle: Ingested = { result: 'rejected', reason: 'unknown_vehicle' };
