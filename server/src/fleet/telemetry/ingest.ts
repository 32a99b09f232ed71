import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { Events } from '../events.ts';
import { appendReadings, canAppend } from './append-readings.ts';
import { mergeIntoHistory, type Sent } from './merge-into-history.ts';
import { type LockedStatus, lockStatuses } from './status-store.ts';
import { measureTelemetry } from './telemetry-metrics.ts';
import type { Ingested, VehicleReading } from './vehicle-reading.ts';

/** `reported` takes the vehicles whose messages were stored, which are told when the transaction is committed. */
export type Writer = { tx: Queryable; events: Events; reported?: string[] };

/** Adds messages to the statuses and the histories of their vehicles; returns the results in their order. */
export async function ingest(
  writer: Writer,
  provider: ProviderRef,
  readings: readonly VehicleReading[],
): Promise<Ingested[]> {
  const byVehicle = Map.groupBy(readings, ({ vehicleId }) => vehicleId);
  const appended = new Map<VehicleReading, LockedStatus>();
  const inactive = new Set<string>();
  const rest: Sent[] = [];
  for (const locked of await lockStatuses(writer.tx, provider.id, [...byVehicle.keys()])) {
    const sent = byVehicle.get(locked.vehicleId) ?? [];
    const [first] = sent;
    if (locked.active) writer.reported?.push(locked.vehicleId);
    if (!locked.active) inactive.add(locked.vehicleId);
    else if (first && sent.length === 1 && canAppend(first, locked)) appended.set(first, locked);
    else rest.push({ locked, readings: sent });
  }
  await appendReadings(writer.tx, provider.id, appended);
  const merged = new Map<VehicleReading, Ingested>();
  for (let from = 0; from < rest.length; from += mergedTogether) {
    const some = rest.slice(from, from + mergedTogether);
    for (const [reading, result] of await mergeIntoHistory(writer, provider.id, some)) {
      merged.set(reading, result);
    }
  }
  const results = readings.map((reading) => {
    if (appended.has(reading)) return accepted;
    return (
      merged.get(reading) ?? (inactive.has(reading.vehicleId) ? inactiveVehicle : unknownVehicle)
    );
  });
  measureTelemetry(readings, results);
  return results;
}

// Vehicles; more would hold up other requests for too long (docs/decisions/0028-bounds.md).
const mergedTogether = 1_000;

const accepted: Ingested = { result: 'accepted' };
const inactiveVehicle: Ingested = { result: 'rejected', reason: 'inactive_vehicle' };
const unknownVehicle: Ingested = { result: 'rejected', reason: 'unknown_vehicle' };
