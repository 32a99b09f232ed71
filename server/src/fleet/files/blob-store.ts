import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '../../platform/db/database.ts';
import type { ReadBudget } from '../../platform/db/read-budget.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { FieldTable } from '../../platform/search/field.ts';
import type { Blob } from './blob.ts';
import { releaseObjects, type StoreContext } from './stored-objects.ts';

/** The files of an entry as fields to filter by; `alias` is the table of the entries. */
export function blobFields(owner: string, alias: string): FieldTable {
  const anyOf = `from blobs b where b.provider = ${alias}.provider and b.owner = '${owner}' and b.entry_id = ${alias}.id`;
  return {
    blobs: ['object', 'b.uuid', { anyOf }],
    'blobs.uuid': ['uuid', 'b.uuid', { anyOf }],
    'blobs.filename': ['text', 'b.filename', { anyOf }],
    'blobs.uploaded': ['boolean', '(b.object_key is not null)', { anyOf }],
  };
}

/** The files of the entry in a row of `alias`, of the provider $1, as a column that is null without files. */
export function blobsColumn(owner: string, alias: string): string {
  return `(
    select json_agg(
      json_build_object('uuid', b.uuid, 'filename', b.filename, 'uploaded', b.object_key is not null)
      order by b.created_at, b.uuid
    )
    from blobs b
    where b.provider = $1 and b.owner = '${owner}' and b.entry_id = ${alias}.id
  ) as blobs`;
}

/** Other requests run in between: entries of a page may have a great many files together. */
export const filesAtOnce = 5_000;

/** Entries with their files, which are read in one statement, within the budget of the page. */
export async function withBlobs<Entry extends { id: string }>(
  db: Queryable,
  provider: ProviderRef,
  owner: string,
  entries: readonly Entry[],
  budget?: ReadBudget,
): Promise<(Entry & { blobs?: Blob[] })[]> {
  if (entries.length === 0) return [];
  const ids = entries.map(({ id }) => id);
  const values = [provider.id, owner, ids];
  const rows = await db.query<Blob & { entry_id: string }>(selectBlobs, values, budget);
  const byEntry = new Map<string, Blob[]>();
  for (const [index, { entry_id, ...blob }] of rows.entries()) {
    const blobs = byEntry.get(entry_id);
    if (blobs) blobs.push(blob);
    else byEntry.set(entry_id, [blob]);
    if (index % filesAtOnce === filesAtOnce - 1) await setImmediate();
  }
  return entries.map((entry) => {
    const blobs = byEntry.get(entry.id);
    return { ...entry, ...(blobs && { blobs }) };
  });
}

const selectBlobs = `
  select entry_id, uuid, filename, object_key is not null as uploaded from blobs
  where provider = $1 and owner = $2 and entry_id = any($3) order by created_at, uuid`;

/** Deletes an entry and its files: the records in one transaction, and their bytes by a job. */
export async function deleteWithBlobs(
  context: StoreContext,
  provider: ProviderRef,
  owner: string,
  entryId: string,
  deleteEntry: (tx: Queryable) => Promise<void>,
): Promise<void> {
  await context.db.transaction(async (tx) => {
    await deleteEntry(tx);
    const rows = await tx.query<{ object_key: string | null }>(deleteBlobs, [
      provider.id,
      owner,
      entryId,
    ]);
    const keys = rows.flatMap(({ object_key }) => object_key ?? []);
    await releaseObjects(tx, context, provider.id, keys);
  });
}

const deleteBlobs =
  'delete from blobs where provider = $1 and owner = $2 and entry_id = $3 returning object_key';
