import sharp from 'sharp';

const loaders = {
  jpeg: 'VipsForeignLoadJpegBuffer',
  png: 'VipsForeignLoadPngBuffer',
  webp: 'VipsForeignLoadWebpBuffer',
  avif: 'VipsForeignLoadHeifBuffer',
  gif: 'VipsForeignLoadNsgifBuffer',
  tiff: 'VipsForeignLoadTiffBuffer',
};

/** Pictures of other formats are not decoded in this process, whatever libvips could: SVG and PDF among them. */
export function limitDecoders(formats: readonly (keyof typeof loaders)[]): void {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: formats.map((format) => loaders[format]) });
}
