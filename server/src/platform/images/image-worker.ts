// Runs as a process of its own: it reads an image from standard input and writes its renditions to standard output,
// a line of JSON and then their bytes. What a hostile image does to a decoder ends with the process.
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { limitDecoders } from '../isolation/limit-decoders.ts';
import { type ProcessLimits, watchProcess } from '../isolation/watch-process.ts';
import { imageTypeOf } from './image-type.ts';
import { type Conversion, type ConversionFailure, maxPixels, type Rendition } from './rendition.ts';

watchProcess(JSON.parse(process.argv[3] ?? '') as ProcessLimits);
limitDecoders(['jpeg', 'png', 'webp', 'avif']);

const { sizes } = JSON.parse(process.argv[2] ?? '{}') as Conversion;
const answer = await convert(await buffer(process.stdin));
process.stdout.write(`${JSON.stringify(answer.head)}\n`);
for (const bytes of answer.files) process.stdout.write(bytes);

type Answer = { head: object; files: Buffer[] };

async function convert(source: Buffer): Promise<Answer> {
  const failed = (failure: ConversionFailure): Answer => ({ head: { failure }, files: [] });
  const type = imageTypeOf(source);
  if (!type) return failed('unsupported');
  try {
    // Read from the header alone.
    const { width, height } = await sharp(source, { limitInputPixels: false }).metadata();
    if (width * height > maxPixels[type]) return failed('too-many-pixels');
    return await render(source, maxPixels[type]);
  } catch {
    return failed('damaged');
  }
}

/** Decodes once, upright and in sRGB, no larger than the largest rendition; metadata is left behind. */
async function render(source: Buffer, limitInputPixels: number): Promise<Answer> {
  const longest = Math.max(...sizes);
  const { data, info } = await sharp(source, { limitInputPixels, failOn: 'error' })
    .autoOrient()
    .resize({ width: longest, height: longest, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const renditions: Rendition[] = [];
  const files: Buffer[] = [];
  const encode = async (scaledWidth: number, format: 'webp' | 'avif') => {
    const scaled = sharp(data, { raw: { width, height, channels } }).resize({ width: scaledWidth });
    const encoded =
      format === 'webp' ? scaled.webp({ quality: 82 }) : scaled.avif({ quality: 60, effort: 0 });
    return encoded.toBuffer({ resolveWithObject: true });
  };
  // Sizes that the image does not reach are all the whole image.
  const encodedOnce = new Map<string, ReturnType<typeof encode>>();
  for (const size of sizes) {
    const scaledWidth = size === longest ? width : Math.min(size, width);
    for (const format of ['webp', 'avif'] as const) {
      const key = `${scaledWidth} ${format}`;
      const encoded = encodedOnce.get(key) ?? encode(scaledWidth, format);
      encodedOnce.set(key, encoded);
      const file = await encoded;
      files.push(file.data);
      renditions.push({
        size,
        format,
        width: file.info.width,
        height: file.info.height,
        bytes: file.data.length,
      });
    }
  }
  return { head: { renditions }, files };
}
