import type { ImageType } from './image-type.ts';

/** What is made of an image: every size in every format. */
export type Conversion = { sizes: readonly number[] };

export type ImageFormat = 'webp' | 'avif';

/** `size` is the width that was asked for; an image is never enlarged. The largest bounds the height as well. */
export type Rendition = {
  size: number;
  format: ImageFormat;
  width: number;
  height: number;
  bytes: number;
};

export type ConversionFailure = 'unsupported' | 'too-many-pixels' | 'damaged';

const fiftyMegapixels = 8_192 * 6_144;

/** The decoder of AVIF takes several times the memory of the others. */
export const maxPixels: Record<ImageType, number> = {
  'image/png': fiftyMegapixels,
  'image/jpeg': fiftyMegapixels,
  'image/webp': fiftyMegapixels,
  'image/avif': 4_096 * 4_096,
};
