import type { Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { lockWrittenVehicles, vehicleIdIssue } from '../vehicles/public.ts';
import { type CsvFile, readCsv } from './csv-file.ts';
import { idSlices } from './id-slices.ts';
import { parseHeader } from './vehicle-csv.ts';

const sliceSize = 1_000;

/**
 * Locks the vehicles that a file names and that exist, in the order of their ids: its lines may have any order, in which
 * they would deadlock with messages (docs/decisions/0014-telemetry.md).
 */
export async function lockNamedVehicles(
  tx: Queryable,
  provider: ProviderRef,
  file: CsvFile,
  interruption: AbortSignal,
): Promise<void> {
  await tx.query(
    'create temporary table named_ids (id text collate "C" primary key) on commit drop',
  );
  let ids: string[] = [];
  const addIds = async () => {
    await tx.query('insert into named_ids select unnest($1::text[]) on conflict do nothing', [ids]);
    ids = [];
  };
  let column: number | undefined;
  for await (const { cells } of readCsv(file, interruption)) {
    if (column === undefined) {
      column = parseHeader(cells).findIndex(({ path }) => path.join('.') === 'asset.id');
      continue;
    }
    const id = cells[column];
    // Any other is a fault of its line.
    if (id === undefined || vehicleIdIssue(id, provider)) continue;
    if (ids.push(id) === sliceSize) await addIds();
  }
  await addIds();
  for await (const slice of idSlices(tx, 'named_ids'))
    await lockWrittenVehicles(tx, provider.id, slice);
}
