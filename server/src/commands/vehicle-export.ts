import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { quoteFormula, vehicleCsvColumns } from '../fleet/imports/public.ts';
import { type VehicleRow, vehicleColumns, vehicleTables } from '../fleet/vehicles/public.ts';
import type { Queryable } from '../platform/db/database.ts';
import { UserError } from '../platform/user-error.ts';
import { writeOutputFile } from './output-file.ts';
import { progressBar } from './progress.ts';

const batchSize = 1_000;

/** Writes to the file, or to standard output without one. */
export async function exportVehicles(
  tx: Queryable,
  provider: string,
  file: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const rows = Readable.from(readVehicles(tx, provider));
  const csv = stringify({
    header: true,
    columns: vehicleCsvColumns,
    cast: { boolean: String, string: quoteFormula },
  });
  if (file === undefined) await writeToStdout(rows, csv, signal);
  else await writeFile(rows, csv, file, signal);
}

async function writeToStdout(
  rows: Readable,
  csv: NodeJS.ReadWriteStream,
  signal: AbortSignal,
): Promise<void> {
  try {
    await pipeline(rows, csv, process.stdout, { end: false, signal });
  } catch (error) {
    // A reader such as head may close the pipe early.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

async function writeFile(
  rows: Readable,
  csv: NodeJS.ReadWriteStream,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await writeOutputFile(file, (output) => pipeline(rows, csv, output, { signal }), {
      keepsMode: true,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall) {
      throw new UserError(`Cannot write ${file}: ${(error as Error).message}`);
    }
    throw error;
  }
}

async function* readVehicles(tx: Queryable, provider: string): AsyncGenerator<VehicleRow> {
  const [counted] = await tx.query<{ total: number }>(
    'select count(*) as total from vehicles where provider = $1',
    [provider],
  );
  const progress = progressBar(counted?.total ?? 0, 'vehicles');
  await tx.queryUnprepared(
    `declare exported no scroll cursor for select ${vehicleColumns} from ${vehicleTables} where v.provider = $1 order by v.id`,
    [provider],
  );
  for (let done = 0; ; ) {
    const rows = await tx.query<VehicleRow>(`fetch ${batchSize} from exported`);
    yield* rows;
    done += rows.length;
    progress.show(done, done);
    if (rows.length < batchSize) break;
  }
  progress.end();
}
