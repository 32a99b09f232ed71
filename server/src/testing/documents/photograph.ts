import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import sharp from 'sharp';
import { randomFor } from '../../platform/random/random.ts';
import { type Point, rectangleTo } from '../../platform/text-recognition/matrix.ts';
import { type Raster, warp } from '../../platform/text-recognition/raster.ts';

/** Pictures of documents as scanners and telephones take them; drawn here, without fonts of the system. */

const folder = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/** The first page of a PDF, with the longer side in pixels. */
export async function renderPdf(pdf: Buffer, side: number): Promise<Raster> {
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const document = await getDocument({
    data: new Uint8Array(pdf),
    standardFontDataUrl: `${folder}/standard_fonts/`,
    useSystemFonts: false,
    verbosity: 0,
  }).promise;
  const page = await document.getPage(1);
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: side / Math.max(width, height) });
  const factory = document.canvasFactory as {
    create(width: number, height: number): { canvas: { toBuffer(type: string): Buffer } };
  };
  const { canvas, ...made } = factory.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
  await page.render({ ...made, canvasContext: null, canvas, viewport } as never).promise;
  const { data, info } = await sharp(canvas.toBuffer('image/png'))
    .flatten({ background: '#ffffff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** On a white ground, turned by degrees. */
export async function rotate({ width, height, pixels }: Raster, degrees: number): Promise<Raster> {
  const { data, info } = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .rotate(degrees, { background: '#ffffff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, pixels: data };
}

/** Specks and grain, as of a poor scanner. */
export function addNoise(source: Raster, strength: number, seed: string): Raster {
  const random = randomFor(seed);
  const pixels = source.pixels.map((value) => {
    const noise = (random.next() + random.next() + random.next() - 1.5) * 2 * strength;
    return Math.min(255, Math.max(0, value + noise));
  });
  return { ...source, pixels };
}

/** A sheet on a dark table, seen from the side, in light that falls off, a little out of focus. */
export async function photograph(page: Raster, seed: string): Promise<Raster> {
  const random = randomFor(seed);
  const width = Math.round(page.width * 1.3);
  const height = Math.round(page.height * 1.2);
  const off = (share: number) => (0.04 + share * random.next()) * width;
  const corners: [Point, Point, Point, Point] = [
    { x: off(0.12), y: off(0.08) },
    { x: width - off(0.12), y: off(0.08) },
    { x: width - off(0.05), y: height - off(0.05) },
    { x: off(0.05), y: height - off(0.05) },
  ];
  const view = warp(page, inverse(corners, page), width, height, tableShade);
  const lit = view.pixels.map((value, index) => {
    const x = (index % width) / width;
    const y = index / width / height;
    return value * (0.95 - 0.3 * x * y);
  });
  const { data } = await sharp(lit, { raw: { width, height, channels: 1 } })
    .blur(0.6)
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return addNoise({ width, height, pixels: data }, 8, seed);
}

const tableShade = 60;

/** From the picture to the page. */
function inverse(corners: [Point, Point, Point, Point], { width, height }: Raster) {
  const [a, b, c, d, e, f, g, h, i] = rectangleTo(width, height, corners);
  return [
    e * i - f * h,
    c * h - b * i,
    b * f - c * e,
    f * g - d * i,
    a * i - c * g,
    c * d - a * f,
    d * h - e * g,
    b * g - a * h,
    a * e - b * d,
  ] as const;
}

export function jpegOf({ width, height, pixels }: Raster): Promise<Buffer> {
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .jpeg({ quality: 80 })
    .toBuffer();
}
