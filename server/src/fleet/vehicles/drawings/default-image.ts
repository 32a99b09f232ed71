import {
  type PublicFile,
  publicFile,
  publicFilePath,
} from '../../../platform/http/public-files.ts';
import { bodyTypeOf, type Described } from './body-type.ts';
import { drawVehicle } from './drawing.ts';
import { type BodyType, bodyTypes } from './shapes.ts';

export const defaultImageFolder = 'vehicle-images';

const fileOf = (bodyType: BodyType) =>
  publicFile(defaultImageFolder, `${bodyType}.svg`, 'image/svg+xml', drawVehicle(bodyType));

const files = Object.fromEntries(
  bodyTypes.map((bodyType) => [bodyType, fileOf(bodyType)]),
) as Record<BodyType, PublicFile>;

/** The drawings that vehicles without an image of their own are shown by. */
export const defaultImages: readonly PublicFile[] = Object.values(files);

/** The address of the drawing of a vehicle, below that of the service. */
export function defaultImageOf(vehicle: Described): string {
  return files[bodyTypeOf(vehicle)].path;
}

/** Whether it is an address of ours, of this release or another, that comes back from a client. */
export function isDefaultImage(url: string): boolean {
  const path = url.replace(/^https?:\/\/[^/]*/i, '');
  const [, folder] = publicFilePath.exec(path) ?? [];
  return folder === defaultImageFolder;
}
