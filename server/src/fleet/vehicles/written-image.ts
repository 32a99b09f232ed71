import type { Queryable } from '../../platform/db/database.ts';
import type { Described } from './drawings/body-type.ts';
import { defaultImageOf, isDefaultImage } from './drawings/default-image.ts';
import type { VehicleRequest } from './vehicle.ts';

/** What the drawing of a stored vehicle follows from. */
export type StoredDescription = Described & { id: string; default_image: string | null };

/** The image that a vehicle is stored with: its own, or the drawing of its body type. */
export function writtenImage(own: string | null | undefined, vehicle: Described): string {
  return own && !isDefaultImage(own) ? own : defaultImageOf(vehicle);
}

/** The same for a write of some fields to a vehicle that exists. */
export function mergedImage(
  { asset, information }: VehicleRequest,
  present: StoredDescription | undefined,
  isNamed: (path: string) => boolean,
): string {
  if (!present) return writtenImage(asset?.defaultImage, information);
  const own = isNamed('asset.defaultImage') ? asset?.defaultImage : present.default_image;
  const pick = <Name extends 'vendor' | 'model' | 'variant' | 'seats'>(name: Name) =>
    isNamed(`information.${name}`) ? information[name] : present[name];
  return writtenImage(own, {
    vendor: pick('vendor'),
    model: pick('model'),
    variant: pick('variant'),
    seats: pick('seats'),
  });
}

/** Locks those of the vehicles that exist, in the order of their ids. */
export async function readDescriptions(
  tx: Queryable,
  providerId: string,
  vehicleIds: readonly string[],
): Promise<Map<string, StoredDescription>> {
  const rows = await tx.query<StoredDescription>(
    `select id, vendor, model, variant, seats, default_image from vehicles
     where provider = $1 and id = any($2::text[]) order by id for no key update`,
    [providerId, vehicleIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
