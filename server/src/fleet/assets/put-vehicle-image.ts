import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { locationOf } from '../../platform/http/location.ts';
import { operation } from '../../platform/http/operation.ts';
import { imageTypes } from '../../platform/images/image-type.ts';
import type { Dependencies } from '../dependencies.ts';
import { limitSize, requirePlainBytes, storeObjects } from '../files/public.ts';
import { requireVehicle, vehicleIdParameter } from '../vehicles/public.ts';
import { convertUpload } from './convert-upload.ts';
import { readImageUuid, writeImage } from './image-store.ts';
import {
  exampleVehicleImage,
  imageConditionHeaders,
  imageLimitBytes,
  imageWidths,
  requireImageConditions,
  type VehicleImage,
  VehicleImageSchema,
  wholeSize,
} from './vehicle-image.ts';

/** A PNG of one pixel. */
const exampleImage = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

export const putVehicleImage = operation({
  id: 'putVehicleImage',
  method: 'PUT',
  path: '/{vehicleId}/image',
  tag: 'Assets',
  role: 'editor',
  origin: 'motorpool',
  summary: 'Put the image of a vehicle',
  description:
    `Takes a PNG, JPEG, WebP or AVIF of at most ${imageLimitBytes / 1_048_576} MiB, recognised by its content, and keeps it upright, without ` +
    `metadata such as the position, in WebP and AVIF, ${imageWidths.join(', ')} pixels wide and as a whole of at most ${wholeSize} by ${wholeSize} ` +
    'pixels. Of an animation, the first picture is kept. The image is there in all sizes when this answers, and not at all when it does not. ' +
    'A second upload replaces the first as a whole. The `blobUuid` of the asset names the image.',
  parameters: vehicleIdParameter,
  requestHeaders: {
    ...imageConditionHeaders,
    'If-None-Match': '`*` to create alone: 412 when it exists.',
  },
  upload: { description: 'The image.', mediaTypes: imageTypes, example: exampleImage },
  responses: {
    200: {
      description: 'The image, replaced.',
      schema: VehicleImageSchema,
      example: exampleVehicleImage,
    },
    201: {
      description: 'The image, new.',
      schema: VehicleImageSchema,
      example: exampleVehicleImage,
      headers: { Location: 'The path of the image.' },
    },
  },
  notFound: ['vehicle'],
  problems: {
    412: 'The image is not the one that If-Match names, or there is one against If-None-Match.',
    413: 'The image has more bytes than the service takes.',
    415: 'The content is no PNG, JPEG, WebP or AVIF, or it is compressed by a Content-Encoding.',
    422: 'The image has too many pixels, or it is damaged.',
  },
  async handler(
    { provider, parameters, header, bytes, stillAuthorized },
    dependencies: Dependencies,
  ) {
    const { db, clock, settings } = dependencies;
    const { vehicleId } = parameters;
    const limitBytes = Math.min(imageLimitBytes, settings.uploadLimitBytes);
    requirePlainBytes(header, limitBytes);
    await requireVehicle(db, provider, vehicleId);
    // Checked again when it is written; here it saves the work.
    requireImageConditions(header, await readImageUuid(db, provider, vehicleId));
    const renditions = await convertUpload(dependencies, provider, limitSize(bytes, limitBytes));
    await stillAuthorized();
    const uuid = randomUUID();
    let isNew = true;
    await storeObjects(
      dependencies,
      provider,
      renditions.map(({ data }) => Readable.from([data])),
      async (tx, stored) => {
        await requireVehicle(tx, provider, vehicleId, 'for no key update');
        const present = await readImageUuid(tx, provider, vehicleId);
        requireImageConditions(header, present);
        isNew = present === undefined;
        const files = renditions.map(({ data: _, ...rendition }, index) => {
          const { key = '', size: bytes = 0 } = stored[index] ?? {};
          return { ...rendition, key, bytes };
        });
        return writeImage(tx, provider, vehicleId, { uuid, files }, clock.now());
      },
    );
    const { width = 0, height = 0 } = renditions.find(({ size }) => size === wholeSize) ?? {};
    const body: VehicleImage = { blobUuid: uuid, width, height };
    if (!isNew) return { status: 200, body };
    return { status: 201, headers: { location: locationOf(provider, vehicleId, 'image') }, body };
  },
});
