import { Readable } from 'node:stream';
import { insertRows } from '../../../platform/db/insert-rows.ts';
import { uuidFor } from '../../../platform/random/uuid.ts';
import type { DemoContext } from '../../demo-context.ts';

/** A file of an entry of the demo. Every entry has at most one of a name. */
export type DemoFile = {
  /** Null where the entry is one of the provider. */
  vehicleId: string | null;
  entryId: string;
  filename: string;
  contentType: string;
  bytes: Buffer;
  uploadedAt: string;
};

/** Adds files to entries of an owner, which goes by the segment of its path. */
export async function addDemoFiles(
  context: DemoContext,
  owner: string,
  files: readonly DemoFile[],
): Promise<void> {
  const { tx, provider } = context;
  const stored = files.map((file) => {
    const uuid = uuidFor(`${file.entryId}/${file.filename}`);
    // The same at every start, so that none leaves bytes that nobody knows of.
    return { ...file, uuid, key: `${provider.id}/demo/${uuid}` };
  });
  await storeDemoObjects(context, stored);
  await insertRows(
    tx,
    'blobs',
    stored.map((file) => ({
      provider: provider.id,
      vehicle_id: file.vehicleId,
      owner,
      entry_id: file.entryId,
      uuid: file.uuid,
      filename: file.filename,
      content_type: file.contentType,
      created_at: file.uploadedAt,
      object_key: file.key,
      size: file.bytes.length,
      uploaded_at: file.uploadedAt,
    })),
  );
}

/** Stores bytes under keys that are the same at every start. */
export async function storeDemoObjects(
  { tx, blobs, provider, clock }: DemoContext,
  objects: readonly { key: string; bytes: Buffer }[],
): Promise<void> {
  await storeAll(blobs, objects);
  await insertRows(
    tx,
    'stored_objects',
    objects.map(({ key }) => ({ provider: provider.id, key, created_at: clock.now() })),
  );
}

const atOnce = 16;

/** A start that was cut short is made good by the next one. */
async function storeAll(
  blobs: DemoContext['blobs'],
  files: readonly { key: string; bytes: Buffer }[],
): Promise<void> {
  const waiting = [...files];
  const worker = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      const { key, bytes } = file;
      const put = () => blobs.put(key, Readable.from([bytes]));
      await put().catch(async () => {
        // What a killed start has left stands in the way once.
        await blobs.delete(key);
        await put();
      });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
