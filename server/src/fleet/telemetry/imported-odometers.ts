import { textArray } from '../../platform/db/binary-arrays.ts';
import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { millisecondsOf } from '../../platform/time/instant.ts';
import type { Events } from '../events.ts';
import { ingest } from './ingest.ts';
import { timeIssue } from './message.ts';
import { canFollow, type OdometerReading } from './odometer-doubt.ts';

/** The odometer of a line of an import. */
export type ImportedOdometer = OdometerReading & { vehicleId: string };

/** Those that contradict the status of their vehicles, with the odometer that is known. */
export async function findContradictions(
  tx: Queryable,
  providerId: string,
  imported: readonly ImportedOdometer[],
): Promise<Map<ImportedOdometer, number>> {
  const rows = await tx.query<{ vehicle_id: string; odometer: number; ms: number | null }>(
    selectOdometers,
    [providerId, textArray(imported.map(({ vehicleId }) => vehicleId))],
  );
  const known = new Map(rows.map((row) => [row.vehicle_id, row]));
  const contradictions = new Map<ImportedOdometer, number>();
  for (const one of imported) {
    const status = known.get(one.vehicleId);
    if (!status) continue;
    const before = { odometer: status.odometer, time: status.ms ?? Number.NEGATIVE_INFINITY };
    const agrees = one.time < before.time ? canFollow(one, before) : canFollow(before, one);
    if (!agrees) contradictions.set(one, before.odometer);
  }
  return contradictions;
}

const selectOdometers = `
  select vehicle_id, odometer, ${millisecondsOf('odometer_at')} as ms from vehicle_statuses
  where provider = $1 and vehicle_id = any($2::text[]) and odometer is not null`;

/** Treats contradicting ones as messages; returns those that are in doubt. */
export async function ingestContradictions(
  writer: { tx: Queryable; events: Events },
  provider: ProviderRef,
  imported: readonly ImportedOdometer[],
  { historyDays, now }: { historyDays: number; now: number },
): Promise<ImportedOdometer[]> {
  const isStorable = ({ time }: ImportedOdometer) => !timeIssue(time, historyDays, now);
  const storable = imported.filter(isStorable);
  const readings = storable.map(({ vehicleId, time, odometer }) => ({
    vehicleId,
    time,
    signals: { odometer },
  }));
  const results = await ingest(writer, provider, readings);
  const believed = new Set(
    storable.filter((_, index) => {
      const result = results[index];
      return result && !('doubtful' in result) && result.result !== 'rejected';
    }),
  );
  return imported.filter((one) => !believed.has(one));
}
