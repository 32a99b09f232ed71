import Type, { type Static } from 'typebox';
import type { BlobStore } from '../../platform/blobs/blob-store.ts';
import type { Database, Queryable } from '../../platform/db/database.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { FieldTable } from '../../platform/search/field.ts';

/** A file of an entry: announced first, then uploaded. */
export const BlobSchema = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    filename: Type.String({ examples: ['invoice.pdf'] }),
    uploaded: Type.Boolean({
      default: false,
      description: 'Whether the file has been uploaded to storage.',
    }),
  },
  { $id: 'Blob', additionalProperties: false },
);
export type Blob = Static<typeof BlobSchema>;

export const exampleBlob: Blob = {
  uuid: '3f2b8c1e-5d4a-4b6f-9a7e-0c1d2e3f4a5b',
  filename: 'invoice.pdf',
  uploaded: true,
};

/** The files of an entry as fields to filter by; the table of the entries goes by `alias`. */
export function blobFields(owner: string, alias: string): FieldTable {
  const anyOf = `from blobs b where b.provider = ${alias}.provider and b.owner = '${owner}' and b.entry_id = ${alias}.id`;
  return {
    blobs: ['object', 'b.uuid', { anyOf }],
    'blobs.uuid': ['uuid', 'b.uuid', { anyOf }],
    'blobs.filename': ['text', 'b.filename', { anyOf }],
    'blobs.uploaded': ['boolean', '(b.object_key is not null)', { anyOf }],
  };
}

/** The files of the entry in a row of `alias`, as a column that is null when there are none. */
export function blobsColumn(owner: string, alias: string): string {
  return `(
    select json_agg(
      json_build_object('uuid', b.uuid, 'filename', b.filename, 'uploaded', b.object_key is not null)
      order by b.created_at, b.uuid
    )
    from blobs b
    where b.provider = ${alias}.provider and b.owner = '${owner}' and b.entry_id = ${alias}.id
  ) as blobs`;
}

/** The files of entries of one vehicle or of several, by entry, in the order of their announcement. */
export async function blobsOf(
  db: Queryable,
  provider: ProviderRef,
  owner: string,
  entryIds: readonly string[],
): Promise<Map<string, Blob[]>> {
  const rows = await db.query<Blob & { entry_id: string }>(
    `select entry_id, uuid, filename, object_key is not null as uploaded from blobs
     where provider = $1 and owner = $2 and entry_id = any($3) order by created_at, uuid`,
    [provider.id, owner, entryIds],
  );
  const byEntry = new Map<string, Blob[]>();
  for (const { entry_id, uuid, filename, uploaded } of rows) {
    const blobs = byEntry.get(entry_id) ?? [];
    blobs.push({ uuid, filename, uploaded });
    byEntry.set(entry_id, blobs);
  }
  return byEntry;
}

/** Deletes the records of an entry's files, in the transaction that deletes the entry. */
export async function deleteBlobs(
  tx: Queryable,
  provider: ProviderRef,
  owner: string,
  entryId: string,
): Promise<string[]> {
  const rows = await tx.query<{ object_key: string | null }>(
    'delete from blobs where provider = $1 and owner = $2 and entry_id = $3 returning object_key',
    [provider.id, owner, entryId],
  );
  return rows.flatMap(({ object_key }) => object_key ?? []);
}

/** Deletes bytes whose records are gone. What fails, or is cut short, is left to the sweep. */
export async function discardBytes(
  dependencies: { db: Database; blobs: BlobStore },
  provider: ProviderRef,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) await discard(dependencies, provider.id, key).catch(() => {});
}

/** Answers whether it was this call that did it. Rejects when a record still owns the bytes. */
export function discard(
  { db, blobs }: { db: Database; blobs: BlobStore },
  provider: string,
  key: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    // The foreign key of the records refuses this as long as one of them refers to it.
    const unowned = await tx.query(
      `delete from stored_objects where (provider, key) in (
         select provider, key from stored_objects
         where provider = $1 and key = $2 for update skip locked
       ) returning key`,
      [provider, key],
    );
    if (unowned.length > 0) await blobs.delete(key);
    return unowned.length > 0;
  });
}
