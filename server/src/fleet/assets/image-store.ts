import type { Queryable } from '../../platform/db/database.ts';
import type { Lookup } from '../../platform/db/lookup-batcher.ts';
import type { ProviderRef } from '../../platform/http/operation.ts';
import type { ImageFormat, Rendition } from '../../platform/images/rendition.ts';
import { updateAssets } from '../vehicles/public.ts';

export type ImageFile = { uuid: string; object_key: string; bytes: number };

/** The file of a vehicle's image in a size and a format. */
export async function readImageFile(
  db: Queryable,
  provider: ProviderRef,
  vehicleId: string,
  size: number,
  format: ImageFormat,
): Promise<ImageFile | undefined> {
  return db.lookup(imageFile, [provider.id, vehicleId, size, format]);
}

const imageFile: Lookup = {
  text: `select uuid, object_key, bytes from vehicle_image_files
         where provider = $1 and vehicle_id = $2 and size = $3 and format = $4`,
  parameters: ['text', 'text', 'integer', 'text'],
};

/** What names the image of a vehicle, if it has one. */
export async function readImageUuid(
  db: Queryable,
  provider: ProviderRef,
  vehicleId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ uuid: string }>(
    'select uuid from vehicle_image_files where provider = $1 and vehicle_id = $2 limit 1',
    [provider.id, vehicleId],
  );
  return row?.uuid;
}

export type NewImage = {
  uuid: string;
  files: readonly (Rendition & { key: string })[];
};

/** Replaces the image of a vehicle, whose row is locked, or removes it; returns the keys of the objects before. */
export async function writeImage(
  tx: Queryable,
  provider: ProviderRef,
  vehicleId: string,
  image: NewImage | undefined,
  now: Date,
): Promise<string[]> {
  const replaced = await tx.query<{ object_key: string }>(
    'delete from vehicle_image_files where provider = $1 and vehicle_id = $2 returning object_key',
    [provider.id, vehicleId],
  );
  if (image) {
    await tx.query(insertFiles, [
      provider.id,
      vehicleId,
      image.uuid,
      now,
      JSON.stringify(image.files),
    ]);
  }
  const asset = { blobUuid: image?.uuid };
  await updateAssets(tx, provider.id, ['blobUuid'], [{ id: vehicleId, asset }], now);
  return replaced.map(({ object_key }) => object_key);
}

const insertFiles = `
  insert into vehicle_image_files
    (provider, vehicle_id, uuid, created_at, size, format, width, height, object_key, bytes)
  select $1, $2, $3, $4, size, format, width, height, key, bytes
  from jsonb_to_recordset($5::jsonb) as file
    (size integer, format text, width integer, height integer, key text, bytes bigint)`;
