import type { Queryable } from '../../platform/db/database.ts';
import { oncePerDatabase } from '../../platform/db/once-per-database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { UserError } from '../../platform/user-error.ts';
import { recordImport } from '../audit/public.ts';
import type { Dependencies } from '../dependencies.ts';
import { readCalendar } from '../profile/public.ts';
import {
  requireUniqueVins,
  type SharedVin,
  SharedVins,
  sharedVinText,
} from '../vehicles/public.ts';
import { type CsvFile, readCsv } from './csv-file.ts';
import { idSlices } from './id-slices.ts';
import { lockNamedVehicles } from './lock-named-vehicles.ts';
import { type Fault, parseHeader, parseLine } from './vehicle-csv.ts';
import { type AddNotStored, type Line, type LineWriter, writeLines } from './vehicle-lines.ts';

type Finding = { line: number } & Fault;

export type Report = {
  lines: number;
  created: number;
  overwritten: number;
  faulty: number;
  faults: Finding[];
  /** Signals that cannot be true, and odometers that fell or leapt; the rest of their lines is written. */
  notStored: Finding[];
  /** By column, how many vehicles lose a stored value because the cell is empty. */
  cleared: { column: string; vehicles: number }[];
  /** The vehicles whose positions are erased because `trackGeolocation` becomes false. */
  positionTrackingDisabled: number;
  written: boolean;
};

export type ImportOptions = {
  dryRun?: boolean | undefined;
  skipFaulty?: boolean | undefined;
  interruption: AbortSignal;
  /** Of the faults, and of the signals that were not stored; the others are counted. */
  maxFindings?: number;
  onProgress?(bytesRead: number, lines: number): void;
  /** Runs in the transaction of what is kept, at its end. */
  onWritten?(tx: Queryable, report: Report): Promise<void>;
};

type AddFaults = (line: number, faults: readonly Fault[]) => void;

const batchSize = 1_000;
const defaultMaxFindings = 100;

/** Thrown to roll back a transaction that succeeded. */
class RolledBack extends Error {
  readonly report: Report;
  constructor(report: Report) {
    super('rolled back');
    this.report = report;
  }
}

/** Imports all lines or none, in one transaction; with `skipFaulty`, those without faults. */
export async function importVehicles(
  { db, events, clock, settings }: Pick<Dependencies, 'db' | 'events' | 'clock' | 'settings'>,
  provider: ProviderRef,
  file: CsvFile,
  options: ImportOptions,
): Promise<Report> {
  try {
    return await db.transaction(async (tx) => {
      const report = await importFile(
        { tx, events, clock, historyDays: settings.historyDays },
        provider,
        file,
        options,
      );
      const commits = !options.dryRun && (report.faulty === 0 || options.skipFaulty === true);
      if (!commits) throw new RolledBack({ ...report, written: false });
      await analyzeVehicles(tx, lastAnalysisOf(db), report, clock.now());
      await recordImport(tx, provider.id, report);
      await options.onWritten?.(tx, report);
      return report;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.report;
    throw error;
  }
}

/** When the tables were analysed last. */
type LastAnalysis = { at: number };
const lastAnalysisOf = oncePerDatabase((): LastAnalysis => ({ at: Number.NEGATIVE_INFINITY }));
const minAnalyzedLines = 1_000;
const analyzeIntervalMs = 300_000;

/**
 * The planner needs statistics of many new rows: docs/decisions/0025-hot-path.md. Few change little, and what comes soon
 * after is left to autovacuum: the tables are those of all providers, and any of them can import again and again.
 */
async function analyzeVehicles(
  tx: Queryable,
  last: LastAnalysis,
  { created, overwritten }: Report,
  now: Date,
): Promise<void> {
  if (created + overwritten < minAnalyzedLines) return;
  // On several servers, it would be as another role than the one that has written: autovacuum does it.
  if (tx.isSharded) return;
  if (now.getTime() - last.at < analyzeIntervalMs) return;
  last.at = now.getTime();
  await tx.query('select analyze_vehicles()');
}

async function importFile(
  writer: LineWriter,
  provider: ProviderRef,
  file: CsvFile,
  { interruption, maxFindings = defaultMaxFindings, onProgress }: ImportOptions,
): Promise<Report> {
  const { tx } = writer;
  const now = writer.clock.now();
  const { today } = await readCalendar(tx, provider.id, now);
  const report: Report = {
    lines: 0,
    created: 0,
    overwritten: 0,
    faulty: 0,
    faults: [],
    notStored: [],
    cleared: [],
    positionTrackingDisabled: 0,
    written: true,
  };
  const addFaults: AddFaults = (line, faults) => {
    report.faulty += 1;
    for (const fault of faults)
      if (report.faults.length < maxFindings) report.faults.push({ line, ...fault });
  };
  const addNotStored: AddNotStored = (line, fault) => {
    if (report.notStored.length < maxFindings) report.notStored.push({ line, ...fault });
  };
  await lockNamedVehicles(tx, provider, file, interruption);
  await tx.query('create temporary table imported_ids (id text primary key) on commit drop');
  await tx.query('create temporary table written_ids (id text primary key) on commit drop');

  const cleared = new Map<string, number>();
  let columns: ReturnType<typeof parseHeader> | undefined;
  let batch: Line[] = [];
  const flush = async () => {
    const unique = await rejectDuplicates(tx, batch, addFaults);
    const columnPaths = columns?.map(({ path }) => path.join('.')) ?? [];
    let groups = 0;
    const countGroup = () => {
      groups += 1;
      if (groups > maxGroups) throw tooManyGroups(batch);
    };
    const write = (lines: Line[]) =>
      writeLines(writer, provider, lines, columnPaths, addNotStored, countGroup);
    const { written, count } = await writeUniqueVins(tx, unique, write, addFaults);
    const ids = written.vehicles.map(({ id }) => id);
    await tx.query('insert into written_ids select unnest($1::text[])', [ids]);
    const created = written.vehicles.filter((one) => one.created).length;
    report.created += created;
    report.overwritten += count - created;
    report.positionTrackingDisabled += written.positionTrackingDisabled;
    for (const [column, vehicles] of Object.entries(written.cleared))
      cleared.set(column, (cleared.get(column) ?? 0) + vehicles);
    batch = [];
  };
  for await (const { line, cells, bytesRead } of readCsv(file, interruption)) {
    if (!columns) {
      columns = parseHeader(cells);
      continue;
    }
    report.lines += 1;
    const { faults, implausible, kept, ...parsed } = parseLine(columns, cells, provider, {
      now,
      today,
    });
    for (const { path, detail } of implausible) addNotStored(line, { column: path, detail });
    const omitted = [...implausible.map(({ path }) => path), ...kept];
    if (faults.length > 0) addFaults(line, faults);
    else if (batch.push({ line, ...parsed, omitted }) === batchSize) {
      await flush();
      onProgress?.(bytesRead, report.lines);
    }
  }
  if (!columns) throw new UserError(`${file.name} is empty: its first line must name the columns.`);
  if (batch.length > 0) await flush();
  await requireUniqueToOthers(tx, provider);
  report.cleared = columns.flatMap(({ path }) => {
    const column = path.join('.');
    const vehicles = cleared.get(column) ?? 0;
    return vehicles > 0 ? [{ column, vehicles }] : [];
  });
  // Duplicates are found later than the faults of the lines around them.
  report.faults.sort((a, b) => a.line - b.line);
  report.notStored.sort((a, b) => a.line - b.line);
  return report;
}

/** Of a vehicle that occurs twice, every line but the first is a fault. */
async function rejectDuplicates(
  tx: Queryable,
  batch: Line[],
  addFaults: AddFaults,
): Promise<Line[]> {
  const ids = new Map<string, Line>();
  const reject = ({ line, vehicle }: Line) =>
    addFaults(line, [
      { column: 'asset.id', detail: `${vehicle.asset.id} stands on an earlier line already.` },
    ]);
  for (const line of batch) {
    if (ids.has(line.vehicle.asset.id)) reject(line);
    else ids.set(line.vehicle.asset.id, line);
  }
  const added = await tx.query<{ id: string }>(
    'insert into imported_ids select unnest($1::text[]) on conflict do nothing returning id',
    [[...ids.keys()]],
  );
  const unique = new Set(added.map(({ id }) => id));
  for (const [id, line] of ids) if (!unique.has(id)) reject(line);
  return [...ids].filter(([id]) => unique.has(id)).map(([, line]) => line);
}

/**
 * Of the writes of a batch, its repetitions included: lines that leave out the same columns are written together, and there are
 * hundreds of sets of signals, each with statements of its own.
 */
const maxGroups = 200;

function tooManyGroups(batch: readonly Line[]): UserError {
  const [first, last] = [batch[0]?.line, batch.at(-1)?.line];
  return new UserError(
    `Nothing was imported: lines ${first} to ${last} have too many combinations of signals that cannot be true. Correct these, or import their lines apart.`,
  );
}

type Written = Awaited<ReturnType<typeof writeLines>>;

/** Each writes all lines of a batch again: one fault can uncover the next, in a chain of vehicles that pass on their VINs. */
const maxVinRounds = 10;

/** Of a VIN that another active vehicle has, the line is a fault; of lines with the same, every one but the first. */
async function writeUniqueVins(
  tx: Queryable,
  lines: Line[],
  write: (lines: Line[]) => Promise<Written>,
  addFaults: AddFaults,
  round = 1,
): Promise<{ written: Written; count: number }> {
  await tx.query('savepoint batch');
  try {
    const written = await write(lines);
    await tx.query('release savepoint batch');
    return { written, count: lines.length };
  } catch (error) {
    if (!(error instanceof SharedVins)) throw error;
    await tx.query('rollback to savepoint batch');
    if (round > maxVinRounds)
      throw new UserError(
        `Nothing was imported: many vehicles would get the VIN of the next one, and that of ${error.shared[0]?.id} is taken. Import their lines apart.`,
      );
    const holders = holdersOf(lines, error.shared);
    const isFault = ({ line, vehicle }: Line) => {
      const otherId = holders.get(vehicle.asset.id);
      if (otherId === undefined || otherId === vehicle.asset.id) return false;
      addFaults(line, [{ column: 'information.vin', detail: sharedVinText({ otherId }) }]);
      return true;
    };
    const rest = lines.filter((line) => !isFault(line));
    return writeUniqueVins(tx, rest, write, addFaults, round + 1);
  }
}

/** By vehicle, the one that keeps the VIN: one that was not written, or else that of the first line. */
function holdersOf(lines: readonly Line[], shared: readonly SharedVin[]): Map<string, string> {
  const keys = new Map(shared.map(({ id, vinKey }) => [id, vinKey]));
  const holders = new Map<string, string>();
  for (const { otherId, vinKey } of shared) if (!keys.has(otherId)) holders.set(vinKey, otherId);
  for (const { vehicle } of lines) {
    const vinKey = keys.get(vehicle.asset.id);
    if (vinKey !== undefined && !holders.has(vinKey)) holders.set(vinKey, vehicle.asset.id);
  }
  return new Map(shared.map(({ id, vinKey }) => [id, holders.get(vinKey) ?? id]));
}

/** What others have written meanwhile was not seen by the batches. */
async function requireUniqueToOthers(tx: Queryable, provider: ProviderRef): Promise<void> {
  for await (const ids of idSlices(tx, 'written_ids'))
    await requireUniqueVins(tx, provider.id, ids).catch((error: unknown) => {
      if (!(error instanceof SharedVins)) throw error;
      throw new UserError(`Nothing was imported, as the fleet changed meanwhile: ${error.message}`);
    });
}
