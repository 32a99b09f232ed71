import { Readable } from 'node:stream';
import type { ProviderRef } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { RenditionFile } from '../../platform/images/image-converter.ts';
import { imageTypeOf, imageTypes, signatureBytes } from '../../platform/images/image-type.ts';
import { type ConversionFailure, maxPixels } from '../../platform/images/rendition.ts';
import type { Dependencies } from '../dependencies.ts';
import { storageProblem, withTemporaryObject } from '../files/public.ts';
import { imageWidths, wholeSize } from './vehicle-image.ts';

/**
 * The renditions of an uploaded image. The upload is stored first, so that neither a slow client occupies the converter
 * nor the service holds its bytes.
 */
export function convertUpload(
  { db, blobs, jobs, images }: Pick<Dependencies, 'db' | 'blobs' | 'jobs' | 'images'>,
  provider: ProviderRef,
  bytes: Readable,
): Promise<RenditionFile[]> {
  const checked = Readable.from(requireImage(bytes), { objectMode: false });
  return withTemporaryObject({ db, blobs, jobs }, provider, checked, async (key) => {
    const open = () =>
      blobs.get(key).catch((error) => {
        throw storageProblem(error);
      });
    const converted = await images.convert(provider.id, open, {
      sizes: [...imageWidths, wholeSize],
    });
    if ('failure' in converted) throw failures[converted.failure]();
    return converted.renditions;
  });
}

/** Rejects by the first bytes, before the others are read. */
async function* requireImage(bytes: Readable): AsyncGenerator<Buffer> {
  let head = Buffer.alloc(0);
  let isKnown = false;
  for await (const chunk of bytes) {
    if (isKnown) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < signatureBytes) continue;
    if (!imageTypeOf(head)) throw failures.unsupported();
    isKnown = true;
    yield head;
  }
  if (isKnown) return;
  if (!imageTypeOf(head)) throw failures.unsupported();
  yield head;
}

const megapixels = (pixels: number) => Math.floor(pixels / 1_000_000);

const failures: Record<ConversionFailure, () => Problem> = {
  unsupported: () =>
    new Problem(415, 'unsupported-image', 'The body is no image of a supported type', {
      detail: `Its content is none of ${imageTypes.join(', ')}, whatever its name and Content-Type say.`,
    }),
  'too-many-pixels': () =>
    new Problem(422, 'image-too-large', 'The image has too many pixels', {
      detail: `At most ${megapixels(maxPixels['image/jpeg'])} megapixels are accepted, and ${megapixels(maxPixels['image/avif'])} of AVIF.`,
    }),
  damaged: () =>
    new Problem(422, 'image-unreadable', 'The image cannot be read', {
      detail: 'Its data is damaged or cut short, or it cannot be decoded within reasonable time.',
    }),
};
