import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Command } from 'commander';
import { parse } from 'csv-parse';
import { providerId, requireProvider } from '../auth/providers.ts';
import type { VehicleLine } from '../operations/shared/vehicle.ts';
import { writeVehicles } from '../operations/shared/vehicle-store.ts';
import type { Queryable } from '../platform/db/database.ts';
import type { ProviderRef } from '../platform/http/operation.ts';
import { UserError } from '../platform/user-error.ts';
import { progressBar } from './progress.ts';
import { readHeader, readLine } from './vehicle-csv.ts';
import { withDatabase } from './with-database.ts';

type Options = { dryRun?: boolean; skipFaulty?: boolean; json?: boolean };
type Report = {
  lines: number;
  created: number;
  overwritten: number;
  faulty: number;
  faults: { line: number; detail: string }[];
  written: boolean;
};
type Line = { line: number; vehicle: VehicleLine };

const batchSize = 1_000;
const maxFaultsShown = 100;

export function importCommand(): Command {
  const command = new Command('import').description('bring data in from a file');
  command
    .command('vehicles')
    .description(
      'make or overwrite vehicles from a CSV file whose header names fields such as asset.id,information.vin,status.odometer; all or nothing',
    )
    .argument('<CC>', 'country code of the asset provider')
    .argument('<CODE>', 'code of the asset provider')
    .argument('<FILE>', 'CSV in UTF-8, separated by comma, semicolon or tab')
    .option('--dry-run', 'do all but keep it')
    .option('--skip-faulty', 'keep the good lines although others are faulty')
    .option('--json', 'print the report as JSON')
    .action(async (countryCode: string, code: string, file: string, options: Options) => {
      const provider = { id: providerId(countryCode, code), countryCode, code };
      const report = await withDatabase(async (db) => {
        await requireProvider(db, provider.id);
        return importVehicles(db, provider, file, options);
      });
      printReport(report, options);
      if (report.faulty > 0) process.exitCode = 1;
    });
  return command;
}

/** Thrown to take a transaction back that went well. */
class TakenBack extends Error {
  readonly report: Report;
  constructor(report: Report) {
    super('taken back');
    this.report = report;
  }
}

async function importVehicles(
  db: Parameters<Parameters<typeof withDatabase>[0]>[0],
  provider: ProviderRef,
  file: string,
  options: Options,
): Promise<Report> {
  const { size, delimiter } = await inspect(file);
  try {
    return await db.transaction(async (tx) => {
      const report = await readFile(tx, provider, file, size, delimiter);
      const keep = !options.dryRun && (report.faulty === 0 || options.skipFaulty === true);
      if (!keep) throw new TakenBack({ ...report, written: false });
      return report;
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.report;
    throw error;
  }
}

async function readFile(
  tx: Queryable,
  provider: ProviderRef,
  file: string,
  size: number,
  delimiter: string,
): Promise<Report> {
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
  await tx.rows('create temporary table imported_ids (id text primary key) on commit drop');
  const source = createReadStream(file);
  const bar = progressBar(size, 'lines');
  const records = source.pipe(
    parse({ bom: true, delimiter, info: true, relax_column_count: true, skip_empty_lines: true }),
  );
  source.once('error', (error) => records.destroy(error));

  let columns: ReturnType<typeof readHeader> | undefined;
  let batch: Line[] = [];
  const flush = async () => {
    const fresh = await refuseRepeated(tx, batch, fault);
    const created = await writeVehicles(tx, provider, fresh);
    report.created += created;
    report.overwritten += fresh.length - created;
    batch = [];
    bar.show(source.bytesRead, report.lines);
  };
  try {
    for await (const { record, info } of records as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      if (!columns) {
        columns = readHeader(record);
        continue;
      }
      report.lines += 1;
      const { vehicle, faults } = readLine(columns, record, provider);
      if (faults.length > 0) fault(info.lines, faults);
      else if (batch.push({ line: info.lines, vehicle }) === batchSize) await flush();
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('CSV_'))
      throw new UserError(`${file}: ${(error as Error).message}`);
    throw error;
  }
  if (!columns) throw new UserError(`${file} is empty: its first line must name the columns.`);
  if (batch.length > 0) await flush();
  bar.end();
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
  const added = await tx.rows<{ id: string }>(
    'insert into imported_ids select unnest($1::text[]) on conflict do nothing returning id',
    [[...ids.keys()]],
  );
  const fresh = new Set(added.map(({ id }) => id));
  for (const [id, line] of ids) if (!fresh.has(id)) repeated(line);
  return [...ids].filter(([id]) => fresh.has(id)).map(([, { vehicle }]) => vehicle);
}

/** The separator is the one that stands most often in the header. */
async function inspect(file: string): Promise<{ size: number; delimiter: string }> {
  try {
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(65_536), 0, 65_536, 0);
      const [header = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
      const count = (separator: string) => header.split(separator).length;
      const delimiter = [',', ';', '\t'].reduce((best, one) =>
        count(one) > count(best) ? one : best,
      );
      return { size, delimiter };
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new UserError(`Cannot read ${file}: ${(error as Error).message}`);
  }
}

function printReport(report: Report, { json, dryRun }: Options): void {
  if (json) {
    process.stdout.write(`${JSON.stringify(report)}\n`);
    return;
  }
  for (const { line, detail } of report.faults) process.stderr.write(`line ${line}: ${detail}\n`);
  if (report.faulty > 0 && report.faults.length === maxFaultsShown) {
    process.stderr.write(
      `… the first ${maxFaultsShown} faults are shown; ${report.faulty} lines are faulty.\n`,
    );
  }
  const outcome = report.written
    ? 'imported'
    : dryRun
      ? 'found in a dry run, nothing kept'
      : 'found, nothing kept because of the faults';
  process.stdout.write(
    `${report.lines} lines: ${report.created} new, ${report.overwritten} overwritten, ${report.faulty} faulty; ${outcome}.\n`,
  );
}
