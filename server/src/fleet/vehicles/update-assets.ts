import type { Queryable } from '../../platform/db/database.ts';
import { writtenColumns } from './vehicle-fields.ts';
import { updatedItem } from './vehicle-item.ts';
import { jsonOf, rowsOf } from './vehicle-upsert.ts';

export type AssetField = 'blobUuid' | 'defaultImage' | 'active';

/** What is written to the asset of a vehicle; undefined clears it. */
export type AssetUpdate = {
  id: string;
  asset: { blobUuid?: string | undefined; defaultImage?: string; active?: boolean };
};

/** Writes these fields of the assets of vehicles, whose rows are locked; returns those that changed. */
export async function updateAssets(
  tx: Queryable,
  providerId: string,
  fields: readonly AssetField[],
  updates: readonly AssetUpdate[],
  now: Date,
): Promise<{ id: string; version: number }[]> {
  const paths = fields.map((field) => `asset.${field}`);
  const columns = writtenColumns('v').filter(({ path }) => paths.includes(path));
  const item = updatedItem(({ path }) => (paths.includes(path) ? 'row' : 'present'));
  const rows = updates.map(({ id, asset }) => ({ id, source: { asset } }));
  return tx.query(
    `update vehicles present set ${columns.map(({ name }) => `${name} = row.${name}`).join(', ')},
       item = ${item}, version = present.version + 1, updated_at = $3
     from ${rowsOf(columns)}
     where present.provider = $1 and present.id = row.id and present.item <> ${item}
     returning present.id, present.version`,
    [providerId, jsonOf(columns, rows), now],
  );
}
