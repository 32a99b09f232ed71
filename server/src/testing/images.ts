import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

/** A PNG of one pixel. */
export const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

/** A picture whose left half is red and whose right half is blue, so that a turn of it shows. */
export function halves(width = 640, height = 320): Sharp {
  return sharp({ create: { width, height, channels: 3, background: 'red' } }).composite([
    {
      input: {
        create: { width: Math.ceil(width / 2), height, channels: 3, background: 'blue' },
      },
      left: Math.floor(width / 2),
      top: 0,
    },
  ]);
}

/** A PNG whose header claims these dimensions, and whose data are a few bytes. */
export async function pngClaiming(width: number, height: number): Promise<Buffer> {
  const png = await halves(8, 8).png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** A PNG of one colour, which has far more pixels than bytes. */
export function pixelBomb(width: number, height: number): Promise<Buffer> {
  return sharp({
    create: { width, height, channels: 3, background: 'white' },
    limitInputPixels: false,
  })
    .png({ compressionLevel: 9 })
    .toBuffer();
}

/** Whether a decoded image is red at its left edge and blue at its right one. */
export async function showsHalves(bytes: Buffer): Promise<boolean> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (x: number) => {
    const offset = (Math.floor(info.height / 2) * info.width + x) * info.channels;
    return [...data.subarray(offset, offset + 3)].map((value) => value > 128);
  };
  const [left, right] = [at(2), at(info.width - 3)];
  return String(left) === 'true,false,false' && String(right) === 'false,false,true';
}
