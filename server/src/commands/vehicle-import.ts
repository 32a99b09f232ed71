import type { Dependencies } from '../fleet/dependencies.ts';
import type { Events } from '../fleet/events.ts';
import { type VehicleLine, writeVehicles } from '../fleet/vehicles/public.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { ProviderRef } from '../platform/http/operation.ts';
import type { Clock } from '../platform/time/clock.ts';
import { UserError } from '../platform/user-error.ts';
import { type CsvFile, inspectCsv, readCsv } from './csv-file.ts';
import { progressBar } from './progress.ts';
import { readHeader, readLine } from './vehicle-csv.ts';

export type Report = {
  lines: number;
  created: number;
  overwritten: number;
  faulty: number;
  faults: { line: number; detail: string }[];
  written: boolean;
};
type Options = { dryRun?: boolean; skipFaulty?: boolean; interruption: AbortSignal };
type Line = { line: number; vehicle: VehicleLine };

const batchSize = 1_000;
const maxFaultsShown = 100;

/** Thrown to take a transaction back that went well. */
class TakenBack extends Error {
  readonly report: Report;
  constructor(report: Report) {
    super('taken back');
    this.report = report;
  }
}

/** All lines or none, in one transaction; with `skipFaulty`, all that are good. */
export async function importVehicles(
  { db, events, clock }: Pick<Dependencies, 'db' | 'events' | 'clock'>,
  provider: ProviderRef,
  path: string,
  options: Options,
): Promise<Report> {
  const file = await inspectCsv(path);
  try {
    return await db.transaction(async (tx) => {
      const report = await readFile({ tx, events, clock }, provider, file, options.interruption);
      const keep = !options.dryRun && (report.faulty === 0 || options.skipFaulty === true);
      if (!keep) throw new TakenBack({ ...report, written: false });
      // Until the database has counted, searches of 10,000 new vehicles take ten times as long.
      await tx.queryUnprepared('analyze vehicles, vehicle_statuses');
      return report;
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.report;
    throw error;
  }
}

async function readFile(
  writer: { tx: Queryable; events: Events; clock: Clock },
  provider: ProviderRef,
  file: CsvFile,
  interruption: AbortSignal,
): Promise<Report> {
  const { tx } = writer;
  const report: Report = {
    lines: 0,
    created: 0,
    overwritten: 0,
    faulty: 0,
    faults: [],
    written: true,
  };
  const fault = (line: number, details: string[]) => {
    report.faulty += 1;
    for (const detail of details)
      if (report.faults.length < maxFaultsShown) report.faults.push({ line, detail });
  };
  await tx.query('create temporary table imported_ids (id text primary key) on commit drop');
  const bar = progressBar(file.size, 'lines');

  let columns: ReturnType<typeof readHeader> | undefined;
  let batch: Line[] = [];
  const flush = async () => {
    const fresh = await refuseRepeated(tx, batch, fault);
    const named = columns?.map(({ path }) => path.join('.'));
    const created = await writeVehicles(writer, provider, fresh, named);
    report.created += created;
    report.overwritten += fresh.length - created;
    batch = [];
  };
  for await (const { line, cells, bytesRead } of readCsv(file, interruption)) {
    if (!columns) {
      columns = readHeader(cells);
      continue;
    }
    report.lines += 1;
    const { vehicle, faults } = readLine(columns, cells, provider);
    if (faults.length > 0) fault(line, faults);
    else if (batch.push({ line, vehicle }) === batchSize) {
      await flush();
      bar.show(bytesRead, report.lines);
    }
  }
  if (!columns) throw new UserError(`${file.path} is empty: its first line must name the columns.`);
  if (batch.length > 0) await flush();
  bar.end();
  // A repeated vehicle is noticed later than the faults of the lines around it.
  report.faults.sort((a, b) => a.line - b.line);
  return report;
}

/** A vehicle that stands twice in the file is a fault: which line should hold? */
async function refuseRepeated(
  tx: Queryable,
  batch: Line[],
  fault: (line: number, details: string[]) => void,
): Promise<VehicleLine[]> {
  const ids = new Map<string, Line>();
  const repeated = ({ line, vehicle }: Line) =>
    fault(line, [`${vehicle.asset.id} stands on an earlier line already.`]);
  for (const line of batch) {
    if (ids.has(line.vehicle.asset.id)) repeated(line);
    else ids.set(line.vehicle.asset.id, line);
  }
  const added = await tx.query<{ id: string }>(
    'insert into imported_ids select unnest($1::text[]) on conflict do nothing returning id',
    [[...ids.keys()]],
  );
  const fresh = new Set(added.map(({ id }) => id));
  for (const [id, line] of ids) if (!fresh.has(id)) repeated(line);
  return [...ids].filter(([id]) => fresh.has(id)).map(([, { vehicle }]) => vehicle);
}
