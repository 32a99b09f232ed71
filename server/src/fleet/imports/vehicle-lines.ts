import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { toMilliseconds } from '../../platform/time/instant.ts';
import type { Events } from '../events.ts';
import { type InspectionRequest, writeInspectionFacts } from '../inspection/public.ts';
import {
  findContradictions,
  type ImportedOdometer,
  ingestContradictions,
} from '../telemetry/public.ts';
import {
  type ClearedCounts,
  countCleared,
  findSharedVins,
  SharedVins,
  type VehicleLine,
  writeVehicles,
} from '../vehicles/public.ts';
import type { Fault } from './vehicle-csv.ts';

/** A line of a file; what it names and does not write, because it cannot be true or its cell says nothing, is omitted. */
export type Line = {
  line: number;
  vehicle: VehicleLine;
  inspection: InspectionRequest;
  omitted: readonly string[];
};

export type AddNotStored = (line: number, fault: Fault) => void;

export type LineWriter = { tx: Queryable; events: Events; clock: Clock; historyDays: number };

type Written = {
  vehicles: Awaited<ReturnType<typeof writeVehicles>>;
  cleared: ClearedCounts;
  /** How many existing vehicles are not tracked any more: their positions are erased. */
  positionTrackingDisabled: number;
};

const odometerPath = 'status.odometer';

/**
 * Writes lines; returns the vehicles, which of them are new, and what was lost. An odometer that contradicts the known one is taken as a message is.
 * Throws SharedVins where VINs are taken.
 */
export async function writeLines(
  writer: LineWriter,
  provider: ProviderRef,
  lines: readonly Line[],
  paths: readonly string[],
  addNotStored: AddNotStored,
  /** Called before each of the statements that lines with the same columns share. */
  onGroup: () => void,
): Promise<Written> {
  const now = writer.clock.now().getTime();
  const imported = new Map(
    lines.flatMap((line): [ImportedOdometer, Line][] => {
      const { asset, status } = line.vehicle;
      const { odometer, lastUpdated } = status;
      if (odometer === undefined) return [];
      const time = lastUpdated === undefined ? now : Date.parse(toMilliseconds(lastUpdated));
      return [[{ vehicleId: asset.id, odometer, time }, line]];
    }),
  );
  const contradictions = await findContradictions(writer.tx, provider.id, [...imported.keys()]);
  const contradicting = [...contradictions.keys()];
  const doubted = new Set(contradicting.map((one) => imported.get(one)));
  const written = lines.map((line) =>
    doubted.has(line) ? { ...line, omitted: [...line.omitted, odometerPath] } : line,
  );
  const groups = [...Map.groupBy(written, ({ omitted }) => omitted.join()).values()].map(
    (group) => {
      const [{ omitted } = { omitted: [] }] = group;
      return {
        lines: group.map(({ vehicle }) => vehicle),
        paths: paths.filter(
          (path) => !omitted.some((one) => path === one || path.startsWith(`${one}.`)),
        ),
      };
    },
  );
  const lost = await countCleared(writer.tx, provider.id, groups);
  const vehicles: Written['vehicles'] = [];
  for (const group of groups) {
    onGroup();
    vehicles.push(...(await writeVehicles(writer, provider, group.lines, group.paths)));
  }
  const shared = await findSharedVins(
    writer.tx,
    provider.id,
    vehicles.map(({ id }) => id),
  );
  if (shared.length > 0) throw new SharedVins(shared);
  const facts = lines.map(({ vehicle, inspection }) => ({
    vehicleId: vehicle.asset.id,
    facts: inspection,
  }));
  const lostFacts = await writeInspectionFacts(writer, provider.id, facts, paths);
  const { historyDays } = writer;
  for (const one of await ingestContradictions(writer, provider, contradicting, {
    historyDays,
    now,
  })) {
    const line = imported.get(one)?.line ?? 0;
    addNotStored(line, {
      column: odometerPath,
      detail: detailOf(one, contradictions.get(one)),
    });
  }
  return { ...lost, vehicles, cleared: { ...lost.cleared, ...lostFacts } };
}

function detailOf({ odometer }: ImportedOdometer, known: number | undefined): string {
  return `${odometerPath} of ${odometer} fell or leapt from ${known}: it is in doubt until a later reading agrees with it.`;
}
