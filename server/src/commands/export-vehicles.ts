import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command } from 'commander';
import { stringify } from 'csv-stringify';
import { providerId, requireProvider } from '../auth/providers.ts';
import {
  type VehicleRow,
  vehicleColumns,
  vehicleTables,
} from '../operations/shared/vehicle-fields.ts';
import type { Queryable } from '../platform/db/database.ts';
import { UserError } from '../platform/user-error.ts';
import { progressBar } from './progress.ts';
import { vehicleCsvColumns } from './vehicle-csv.ts';
import { withDatabase } from './with-database.ts';

const batchSize = 1_000;

export function exportCommand(): Command {
  const command = new Command('export').description('take data out to a file');
  command
    .command('vehicles')
    .description(
      'write all vehicles of an asset provider, with their status, as CSV that import takes back',
    )
    .argument('<CC>', 'country code of the asset provider')
    .argument('<CODE>', 'code of the asset provider')
    .argument('[FILE]', 'where to; standard output when left out')
    .action(async (countryCode: string, code: string, file: string | undefined) => {
      const provider = providerId(countryCode, code);
      await withDatabase(async (db) => {
        await requireProvider(db, provider);
        await db.transaction((tx) => exportVehicles(tx, provider, file), 'read only');
      });
    });
  return command;
}

async function exportVehicles(
  tx: Queryable,
  provider: string,
  file: string | undefined,
): Promise<void> {
  const csv = () =>
    stringify({ header: true, columns: vehicleCsvColumns, cast: { boolean: String } });
  const rows = Readable.from(readVehicles(tx, provider));
  if (file === undefined) {
    await pipeline(rows, csv(), process.stdout, { end: false });
    return;
  }
  // Written aside and renamed, so that a file of this name is always a whole one.
  const partial = `${file}.partial`;
  try {
    await pipeline(rows, csv(), createWriteStream(partial));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    if ((error as NodeJS.ErrnoException).syscall) {
      throw new UserError(`Cannot write ${file}: ${(error as Error).message}`);
    }
    throw error;
  }
}

async function* readVehicles(tx: Queryable, provider: string): AsyncGenerator<VehicleRow> {
  const [counted] = await tx.rows<{ total: number }>(
    'select count(*) as total from vehicles where provider = $1',
    [provider],
  );
  const bar = progressBar(counted?.total ?? 0, 'vehicles');
  await tx.adHoc(
    `declare exported no scroll cursor for select ${vehicleColumns} from ${vehicleTables} where v.provider = $1 order by v.id`,
    [provider],
  );
  for (let done = 0; ; ) {
    const rows = await tx.rows<VehicleRow>(`fetch ${batchSize} from exported`);
    yield* rows;
    done += rows.length;
    bar.show(done, done);
    if (rows.length < batchSize) break;
  }
  bar.end();
}
