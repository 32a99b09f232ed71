import type { Queryable } from '../../platform/db/database.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fleetJob } from '../fleet-job.ts';
import { updateAssets, writtenImage } from '../vehicles/public.ts';

/**
 * Brings the assets of vehicles that were written by another release to what this one says: the drawing of the body type,
 * and the image that was uploaded.
 */
export const refreshAssetsJob = fleetJob({
  name: 'refresh-assets',
  cron: '41 2 * * *',
  select: 'select id from vehicles where provider = $1 and id > $2 order by id limit $3',
  run: (providerId, vehicleIds, context) => refreshAssets(context, providerId, vehicleIds),
});

type Row = {
  id: string;
  vendor: string | null;
  model: string | null;
  variant: string | null;
  seats: number | null;
  default_image: string | null;
  blob_uuid: string | null;
  image_uuid: string | null;
};

async function refreshAssets(
  { tx, clock }: { tx: Queryable; clock: Clock },
  providerId: string,
  vehicleIds: readonly string[],
): Promise<void> {
  const outdated = (rows: readonly Row[]) =>
    rows.filter((row) => row.default_image !== imageOf(row) || row.blob_uuid !== row.image_uuid);
  const found = outdated(await tx.query<Row>(selectAssets, [providerId, vehicleIds]));
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  const locked = outdated(
    await tx.query<Row>(`${selectAssets} order by v.id for no key update of v`, [providerId, ids]),
  );
  const updates = locked.map((row) => ({
    id: row.id,
    asset: { defaultImage: imageOf(row), blobUuid: row.image_uuid ?? undefined },
  }));
  await updateAssets(tx, providerId, ['defaultImage', 'blobUuid'], updates, clock.now());
}

function imageOf(row: Row): string {
  return writtenImage(row.default_image, row);
}

const selectAssets = `
  select v.id, v.vendor, v.model, v.variant, v.seats, v.default_image, v.blob_uuid, f.uuid as image_uuid
  from vehicles v
  left join lateral (
    select uuid from vehicle_image_files
    where provider = v.provider and vehicle_id = v.id limit 1
  ) f on true
  where v.provider = $1 and v.id = any($2::text[])`;
