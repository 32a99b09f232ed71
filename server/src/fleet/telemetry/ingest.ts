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
  await mergeInParts(writer, provider.id, rest, merged);
  const results = readings.map((reading) => {
    if (appended.has(reading)) return accepted;
    return (
      merged.get(reading) ?? (inactive.has(reading.vehicleId) ? inactiveVehicle : unknownVehicle)
    );
  });
  measureTelemetry(readings, results);
  return results;
}

/** Messages; more would hold up other requests for too long (docs/decisions/0028-bounds.md). */
const mergedTogether = 1_000;

/** Vehicles with more messages than are merged together are locked again for the rest, as what is known has changed. */
async function mergeInParts(
  writer: Writer,
  providerId: string,
  sent: readonly Sent[],
  merged: Map<VehicleReading, Ingested>,
): Promise<void> {
  const left = new Map<string, readonly VehicleReading[]>();
  let together: Sent[] = [];
  let count = 0;
  const merge = async () => {
    const results = await mergeIntoHistory(writer, providerId, together);
    for (const [reading, result] of results) merged.set(reading, result);
    together = [];
    count = 0;
  };
  for (const { locked, readings } of sent) {
    const some = readings.slice(0, mergedTogether);
    if (count + some.length > mergedTogether) await merge();
    together.push({ locked, readings: some });
    count += some.length;
    if (readings.length > mergedTogether)
      left.set(locked.vehicleId, readings.slice(mergedTogether));
  }
  await merge();
  if (left.size === 0) return;
  const again = await lockStatuses(writer.tx, providerId, [...left.keys()]);
  const rest = again.map((locked) => ({ locked, readings: left.get(locked.vehicleId) ?? [] }));
  await mergeInParts(writer, providerId, rest, merged);
}

const accepted: Ingested = { result: 'accepted' };
const inactiveVehicle: Ingested = { result: 'rejected', reason: 'inactive_vehicle' };
const unknownVehicle: Ingested = { result: 'rejected', reason: 'unknown_vehicle' };
